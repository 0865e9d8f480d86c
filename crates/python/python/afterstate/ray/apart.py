"""Networks that share no weights, each learned by a task of its own, and joined at the end: no exchange at all.

That is the natural way to spread learning in stages whose games do not wait for each other, such as the sub-goals of the
recipes `goals-2048-1` to `goals-2048-4`, each of which begins with boards made to order.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import ray

from afterstate import Network, Trainer
from afterstate import recipe as recipe_text
from afterstate.ray.training import ROOM
from afterstate.training import overrides, train


def learn_one(recipe: str, directory: str, threads: int) -> str:
    """Learns one network in its run directory, or goes on with it; the path of its model."""
    model = os.path.join(directory, "model.afterstate")
    if not os.path.exists(model):
        train(recipe, threads=threads, run=directory, resume=os.path.isdir(os.path.join(directory, "checkpoints")))
    return model


def train_apart(
    recipes: Sequence[str],
    place: str | os.PathLike[str],
    *,
    sets: Mapping[str, Any] | None = None,
    threads: int = 1,
    retries: int = -1,
) -> Network:
    """Learns by each of the recipes on a machine of its own and joins the networks, in this order, into one.

    `place` must be a directory that all machines share; each recipe has a run directory there, `1`, `2` and so on. A task
    whose worker or machine dies is begun again, `retries` times (-1: always), and goes on from its last checkpoint; so
    does all of it when it is called again. With one thread each the model is the same, to the byte, as if nothing had
    happened. It is left in `place` as `model.afterstate`.
    """
    texts = [recipe_text(recipe, overrides(sets)) for recipe in recipes]
    shared = os.path.abspath(place)
    os.makedirs(shared, exist_ok=True)
    if not ray.is_initialized():
        ray.init()
    asked = []
    for number, text in enumerate(texts, 1):
        memory = Trainer.shared_bytes(text) // 2 + ROOM  # nothing is exchanged, so there is no second copy
        task = ray.remote(num_cpus=threads, memory=memory, max_retries=retries, scheduling_strategy="SPREAD")(learn_one)
        asked.append(task.remote(text, os.path.join(shared, str(number)), threads))
    joined = Network.join(ray.get(asked))
    joined.save(os.path.join(shared, "model.afterstate"))
    return joined
