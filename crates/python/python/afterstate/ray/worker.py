"""What runs on the machines of a shared training: workers that play shares, and join what all have learned.

A worker holds the network of the last exchange. It plays a *share* of a round, tells what that changed, and goes back:
so every worker can play every share, and a share comes out the same wherever it is played (on one thread, to the bit).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from afterstate import Network, Trainer
from afterstate._native import join
from afterstate.ray.place import Place, pack, unpack

Difference = list[Any]
"""What was learned: for every set of weights entries, moves, sums and visits."""


class Worker:
    """A trainer on one machine."""

    def __init__(self, recipe: str, threads: int) -> None:
        self.recipe, self.threads = recipe, threads
        self.trainer: Trainer | None = None

    def ready(self, place: Place | None, mark: bytes | None) -> None:
        """Answers when the machine is there; fails if it does not see the files of the run."""
        if place is not None and place.read("run.json") != mark:
            raise ValueError(f"a machine of the cluster does not see the files of {place}: share the directory, or use a URI")

    def take(self, begin: Network | bytes | tuple[Place, str] | None) -> None:
        """Begins with this network: its bytes, a checkpoint, or as the recipe begins."""
        if isinstance(begin, tuple):
            begin = begin[0].load(begin[1])
        network = unpack(begin) if isinstance(begin, bytes) else begin
        self.trainer = Trainer(self.recipe, seed=0, threads=self.threads, network=network)
        self.trainer.begin_exchange()

    def _have(self) -> Trainer:
        assert self.trainer is not None, "a worker takes a network first"
        return self.trainer

    def learn(self, seed: int, before: int, games: int, parts: int) -> list[Any]:
        """Plays a share: how many games and their average, then what was learned, in parts that can be joined apart."""
        trainer = self._have()
        trainer.begin(seed, before)
        window = trainer.play(games)
        told = trainer.differences()
        trainer.rewind()
        return [(window.games, window.mean), *cut(told, trainer.network.places, parts)]

    def join(self, rule: str, *told: Difference) -> tuple[int, Difference]:
        """Joins one part of all shares, in their order: how many weights were changed, and the joined part."""
        joined = join(list(told), rule)
        return sum(len(bank[0]) for bank in joined), joined

    def apply(self, *joined: Difference) -> None:
        """Goes on from what all have learned, given in parts."""
        self._have().apply(glue(list(joined)))

    def pack(self, metadata: dict[str, str]) -> bytes:
        """The network of the last exchange with its sums."""
        return pack(self._have().network, metadata)

    def save(self, place: Place, name: str, metadata: dict[str, str]) -> None:
        """Saves it where the run is."""
        place.save(name, self._have().network, metadata)


def cut(told: Difference, size: int, parts: int) -> list[Difference]:
    """What was learned, in parts of equal ranges of entries.

    >>> bank = (np.array([1, 5, 9], np.uint32), np.array([1., 2., 3.], np.float32), np.zeros((0, 2), np.float32), np.zeros(0, np.float32))
    >>> [[list(bank[0]) for bank in part] for part in cut([bank], 10, 2)] == [[[1]], [[5, 9]]]
    True
    >>> [list(column) for column in glue(cut([bank], 10, 3))[0][:2]] == [[1, 5, 9], [1., 2., 3.]]
    True
    """
    edges = [size * part // parts for part in range(1, parts)]
    found: list[Difference] = [[] for _ in range(parts)]
    for bank in told:
        places = [0, *np.searchsorted(bank[0], edges), len(bank[0])]
        for part, (first, last) in zip(found, zip(places, places[1:])):
            # Copies: a view would travel with all it is a view of. Rules without sums or visits have empty columns.
            part.append(tuple(column[first:last].copy() if len(column) else column for column in bank))
    return found


def glue(parts: list[Difference]) -> Difference:
    """The parts of `cut` together."""
    return [tuple(np.concatenate(columns) for columns in zip(*banks)) for banks in zip(*parts)]
