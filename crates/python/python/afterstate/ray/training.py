"""One network taught by several machines.

Every worker plays and learns alone for a while, on as many threads as it has. Then all tell what they have changed,
the changes are joined entry by entry, and everybody goes on from the same network:

    sums E, A and visits        add up
    weights                     average of the moves, weighted by activity (the growth of A, or of the visits)

An entry that one worker alone has visited moves as far as it did there. See `exchange` in the Rust library.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ray

from afterstate import Network, Trainer
from afterstate import recipe as recipe_text
from afterstate._native import join
from afterstate.training import overrides


@dataclass(frozen=True)
class Round:
    """What happened between two exchanges."""

    games: int
    """Games of all workers so far."""
    mean: float
    """The average score of the games of this round."""
    entries: int
    """Weights that were changed by somebody."""
    workers: int
    """Workers whose games count in this round."""


class _Worker:
    """A trainer on one machine."""

    def __init__(self, recipe: str, seed: int, threads: int, begin: bytes | None) -> None:
        network = None if begin is None else _unpack(begin)
        self.trainer = Trainer(recipe, seed=seed, threads=threads, network=network)
        self.trainer.begin_exchange()

    def learn(self, games: int) -> tuple[int, float, list[Any]]:
        """Plays some games; how many, their average, and what was learned."""
        window = self.trainer.play(games)
        return window.games, window.mean, self.trainer.differences()

    def apply(self, joined: list[Any]) -> None:
        """Goes on from what everybody has learned."""
        self.trainer.apply(joined)

    def pack(self, games: int) -> bytes:
        """The network with its sums, as of the last exchange, after this many games of all workers."""
        return _pack(self.trainer.network, {"trained_games": str(games)})

    def process(self) -> int:
        """The process of the worker."""
        return os.getpid()


def _pack(network: Network, metadata: dict[str, str] | None = None) -> bytes:
    with tempfile.TemporaryDirectory(prefix="afterstate-") as place:
        path = os.path.join(place, "model")
        network.save(path, sums=True, metadata=metadata)
        with open(path, "rb") as file:
            return file.read()


def _unpack(content: bytes) -> Network:
    with tempfile.TemporaryDirectory(prefix="afterstate-") as place:
        path = os.path.join(place, "model")
        with open(path, "wb") as file:
            file.write(content)
        return Network.load(path)


def train(
    recipe: str = "quick",
    *,
    workers: int = 2,
    games: int | None = None,
    every: int = 1000,
    sets: Mapping[str, Any] | None = None,
    seed: int = 1,
    threads: int = 1,
    rule: str = "average",
    network: Network | None = None,
    callback: Callable[[Round], object] | None = None,
) -> Network:
    """Has `workers` machines teach one network, `games` games together, and returns it with its sums.

    They exchange what they have learned after every `every` games of all together. `rule` says how moves of weights
    are joined, "average" (by activity) or "sum". A worker that dies is replaced by one that begins with the last
    exchanged network; the games of its round are played by the others' next rounds. `callback` hears of every
    exchange and stops the training by returning `False`.
    """
    text = recipe_text(recipe, overrides(sets))
    total = games if games is not None else _games_of(text)
    if workers < 1 or every < workers:
        raise ValueError("at least one worker is needed, and a game for each between exchanges")
    if not ray.is_initialized():
        ray.init()
    remote = ray.remote(num_cpus=threads)(_Worker)
    begin = None if network is None else _pack(network)
    seeds = iter(range(seed << 16, (seed + 1) << 16))
    team = [remote.remote(text, next(seeds), threads, begin) for _ in range(workers)]
    done = 0
    while done < total:
        share = [min(every, total - done) // workers + (i < min(every, total - done) % workers) for i in range(workers)]
        asked = [worker.learn.remote(part) if part else None for worker, part in zip(team, share)]
        answers = [_answer(one) if one is not None else (0, 0.0, None) for one in asked]
        told = [answer[2] for answer in answers if answer is not None and answer[2] is not None]
        if not told and all(answer is None for answer in answers):
            raise RuntimeError("all workers died in one round; look at Ray's logs")
        joined = join(told, rule)
        stored = ray.put(joined)
        alive = [answer is not None for answer in answers]
        applied = [worker.apply.remote(stored) for worker, lives in zip(team, alive) if lives]
        if not all(alive):
            ray.wait(applied, num_returns=len(applied))
            begin = ray.get(team[alive.index(True)].pack.remote(done))
            team = [w if lives else remote.remote(text, next(seeds), threads, begin) for w, lives in zip(team, alive)]
        played = sum(answer[0] for answer in answers if answer is not None)
        points = sum(answer[0] * answer[1] for answer in answers if answer is not None)
        done += played
        if callback is not None:
            news = Round(done, points / max(1, played), sum(len(bank[0]) for bank in joined), sum(alive))
            if callback(news) is False:
                break
    for worker in team:
        try:
            found = _unpack(ray.get(worker.pack.remote(done)))
        except ray.exceptions.RayActorError:
            continue
        for one in team:
            ray.kill(one)
        return found
    raise RuntimeError("all workers died at the end; look at Ray's logs")


def _answer(asked: Any) -> tuple[int, float, Any] | None:
    """What a worker says; `None` if it died."""
    try:
        answer: tuple[int, float, Any] = ray.get(asked)
    except ray.exceptions.RayActorError:
        return None
    return answer


def _games_of(text: str) -> int:
    """The number of games a resolved recipe asks for."""
    inside = text.split("[run]", 1)[1]
    for line in inside.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "games":
            return int(value)
    raise ValueError("the recipe has no number of games")
