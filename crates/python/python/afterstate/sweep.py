"""Many recipes, one after the other or in parts on several machines; goes on where it was stopped.

A sweep is a list of variants of a recipe. Each has a run directory of its own below one place, and a file `evaluated.json`
there once it is trained and evaluated: what is finished is never done again, and what was interrupted resumes from
its last checkpoint.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from afterstate._native import recipe as recipe_text
from afterstate.agent import Agent
from afterstate.evaluation import evaluate
from afterstate.training import overrides, train


@dataclass(frozen=True)
class Variant:
    """One recipe of a sweep."""

    name: str
    """The name of its run directory."""
    recipe: str
    """A built-in recipe, a file, or a text."""
    sets: Mapping[str, Any]
    """Its changes to the recipe."""


def grid(recipe: str, **axes: Iterable[Any]) -> list[Variant]:
    """All combinations of values; a key like `learning__beta` is the recipe's `learning.beta`.

    >>> [variant.name for variant in grid("tc-4x6", learning__beta=[0.5, 1.0], run__seed=[1, 2])]
    ['beta=0.5,seed=1', 'beta=0.5,seed=2', 'beta=1.0,seed=1', 'beta=1.0,seed=2']
    """
    keys = [key.replace("__", ".") for key in axes]
    variants = []
    for values in itertools.product(*axes.values()):
        sets = dict(zip(keys, values))
        name = ",".join(f"{key.rsplit('.', 1)[-1]}={value}" for key, value in sets.items()) or "plain"
        variants.append(Variant(name.replace("/", "_").replace(" ", ""), recipe, sets))
    return variants


def part_of(variants: list[Variant], part: tuple[int, int]) -> list[Variant]:
    """The part `(i, n)` of a sweep, from (1, n) to (n, n): every n-th variant, so that parts cost alike.

    >>> [[v.name for v in part_of(grid("quick", run__seed=[1, 2, 3]), (i, 2))] for i in (1, 2)]
    [['seed=1', 'seed=3'], ['seed=2']]
    """
    index, of = part
    if not 1 <= index <= of:
        raise ValueError(f"{index}/{of} is no part; write from (1, {of}) to ({of}, {of})")
    return variants[index - 1 :: of]


def run_one(variant: Variant, place: str | os.PathLike[str], games: int, threads: int | None = None) -> dict[str, Any]:
    """Trains and evaluates one variant, or reads what came of it; safe to call again after a crash."""
    directory = os.path.join(place, variant.name)
    result = os.path.join(directory, "evaluated.json")
    if os.path.exists(result):
        with open(result, encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
        return found
    resume = os.path.isdir(os.path.join(directory, "checkpoints")) and os.path.exists(os.path.join(directory, "config.toml"))
    network = train(variant.recipe, sets=variant.sets, threads=threads, run=directory, resume=resume)
    agent = Agent(network)
    report = evaluate(agent, games=games, threads=threads)
    answer = {"name": variant.name, "sets": dict(variant.sets), "evaluation": report.report}
    temporary = f"{result}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(answer, file, indent=1)
    os.replace(temporary, result)
    return answer


def sweep(
    variants: list[Variant],
    place: str | os.PathLike[str],
    *,
    games: int = 1000,
    threads: int | None = None,
    part: tuple[int, int] = (1, 1),
) -> list[dict[str, Any]]:
    """Runs a part of the variants on this machine, one after the other, and returns their results in order."""
    check(variants)
    return [run_one(variant, place, games, threads) for variant in part_of(variants, part)]


def check(variants: list[Variant]) -> None:
    """Finds mistakes before anything is trained: recipes that cannot be cooked, names used twice."""
    names = [variant.name for variant in variants]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two variants have the same name: {', '.join(sorted(twice))}")
    for variant in variants:
        recipe_text(variant.recipe, overrides(variant.sets))
