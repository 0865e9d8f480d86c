"""Evaluation over a cluster: games in parts, results joined exactly."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from typing import Any

import ray

from afterstate import Agent, Evaluation, Network, merge
from afterstate import evaluate as evaluate_here

_agents: dict[str, Agent] = {}
"""The agents this worker process has loaded, by what they were made of."""


def _agent(model: bytes | None, key: str, options: dict[str, Any]) -> Agent:
    """The agent of these options; a model is loaded once in every process."""
    if key not in _agents:
        _agents.clear()
        if model is None:
            _agents[key] = Agent(**options)
        else:
            with tempfile.TemporaryDirectory(prefix="afterstate-") as place:
                path = os.path.join(place, "model")
                with open(path, "wb") as file:
                    file.write(model)
                _agents[key] = Agent(path, **options)
    return _agents[key]


def _play(model: bytes | None, key: str, options: dict[str, Any], plan: dict[str, Any]) -> str:
    """One part of an evaluation, on a worker: its games as JSON."""
    return evaluate_here(_agent(model, key, options), **plan).shard


def evaluate(
    model: Network | str | os.PathLike[str] | None = None,
    games: int = 1000,
    *,
    seed: int = 1,
    player: str | None = None,
    game: str | None = None,
    ply: int | None = None,
    shards: int | None = None,
    threads: int | None = None,
    retries: int = 5,
) -> Evaluation:
    """Plays games on all machines of the cluster; the report is exactly that of `afterstate.evaluate` on one.

    The model (a `Network` or a file on this machine) travels through Ray's object store, so machines need not share
    files. Each of `shards` tasks takes `threads` processors, if nothing is said all of a machine, so that there is one
    network in the memory of each. A task whose worker dies is played again, up to `retries` times, and gives the same
    games, since game `k` takes its chance from the seed and `k` alone.
    """
    if not ray.is_initialized():
        ray.init()
    name, content = _content(model)
    options: dict[str, Any] = {"player": player, "game": game, "ply": ply}
    if content is None:
        Agent(**options)  # a mistake is told here, not by a worker
    key = hashlib.sha256((content or b"") + json.dumps(options, sort_keys=True).encode()).hexdigest()
    machines = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
    machines = [processors for processors in machines if processors > 0]
    if threads is None:
        threads = min(machines, default=1)
    if shards is None:
        shards = 4 * max(1, sum(processors // threads for processors in machines))
    shards = max(1, min(shards, games))
    remote = ray.remote(num_cpus=threads, max_retries=retries)(_play)
    stored = ray.put(content)
    plan = {"games": games, "seed": seed, "threads": threads}
    parts = [remote.remote(stored, key, options, {**plan, "shard": (i, shards)}) for i in range(1, shards + 1)]
    return merge([_named(part, name) for part in ray.get(parts)])


def _content(model: Network | str | os.PathLike[str] | None) -> tuple[str | None, bytes | None]:
    """The name of a model, if it has one, and its file."""
    if model is None:
        return None, None
    if isinstance(model, Network):
        with tempfile.TemporaryDirectory(prefix="afterstate-") as place:
            path = os.path.join(place, "model")
            model.save(path)
            return None, _read(path)
    return os.fspath(model), _read(model)


def _read(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _named(part: str, name: str | None) -> str:
    """A part with the name of the model here instead of the worker's copy."""
    shard = json.loads(part)
    shard.pop("model", None)
    if name is not None:
        shard["model"] = name
    return json.dumps(shard)
