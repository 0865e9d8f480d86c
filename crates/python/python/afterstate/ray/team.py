"""The workers of a shared training: hired, given the network, lost and replaced."""

from __future__ import annotations

import time
import warnings
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from afterstate.ray.place import Place
from afterstate.ray.worker import Worker

PATIENCE = 60.0
"""Seconds to wait for all machines; then those who are there begin, and whoever waits is told for what."""


class AllLost(Exception):
    """Nobody is left who knows the network."""


def is_loss(error: RayError) -> bool:
    """Whether a machine, a process or an object was lost; otherwise our own code failed, and trying again is no use."""
    return not isinstance(error, RayTaskError) or isinstance(error.cause, RayError)


class Team:
    """Up to `size` workers that hold the network of the last exchange."""

    def __init__(self, recipe: str, *, size: int, threads: int, memory: int, place: Place | None) -> None:
        self.recipe, self.size, self.threads, self.memory, self.place = recipe, size, threads, memory, place
        self.mark = None if place is None else place.read("run.json")
        self.members: list[Any] = []
        self.hired: dict[Any, Any] = {}
        """Workers whose machine is not there yet, by what they will answer."""
        self.taking: dict[Any, Any] = {}
        """Workers that are being given the network, by what they will answer."""

    def hire(self) -> None:
        """Asks for as many workers as are missing, spread over the machines."""
        remote = ray.remote(num_cpus=self.threads, memory=self.memory, scheduling_strategy="SPREAD", max_restarts=0)(Worker)
        for _ in range(self.size - len(self.members) - len(self.hired) - len(self.taking)):
            worker = remote.remote(self.recipe, self.threads)
            self.hired[worker.ready.remote(self.place, self.mark)] = worker

    def begin(self, begin: Any) -> None:
        """Has a team whose members begin with this network: all of them, or after a while those who are there."""
        self.dismiss()
        self.hire()
        until, told = time.monotonic() + PATIENCE, False
        while len(self.members) < self.size and (not self.members or time.monotonic() < until):
            done, _ = ray.wait([*self.hired, *self.taking], num_returns=1, timeout=max(1.0, until - time.monotonic()))
            if not done and not told:
                told = True
                warnings.warn(
                    f"waiting for {self.size - len(self.members)} machines with {self.threads} free processors and {self.memory / 1e9:.1f} GB; "
                    f"free now: {ray.available_resources()}",
                    stacklevel=2,
                )
            for one in done:
                self.heard(one, begin)

    def heard(self, one: Any, begin: Any = None) -> bool:
        """Goes on with a worker that answered: gives it the network, or makes it a member. Whether it was about that."""
        if one in self.hired:
            worker = self.hired.pop(one)
            if self._answered(one, worker):
                # Once there are members, they have the network; a busy one gives it when its share is played.
                given = self.members[0].pack.remote({}) if self.members else begin
                self.taking[worker.take.remote(given)] = worker
        elif one in self.taking:
            worker = self.taking.pop(one)
            if self._answered(one, worker):
                self.members.append(worker)
        else:
            return False
        return True

    def _answered(self, one: Any, worker: Any) -> bool:
        try:
            ray.get(one)
        except RayError as error:
            if not is_loss(error):
                raise
            self.lose(worker)
            return False
        return True

    def lose(self, worker: Any) -> None:
        """Goes on without a worker, and asks for another one."""
        if worker in self.members:
            self.members.remove(worker)
        ray.kill(worker)
        self.hire()

    def all(self, ask: Any) -> None:
        """Asks every member for something, and those that are being given the network, after that; who fails is lost."""
        asked = [([ask(worker)], worker) for worker in self.members]
        # Who could not take the network says so before it says that it has none.
        asked += [([taken, ask(worker)], worker) for taken, worker in self.taking.items()]
        for answers, worker in asked:
            try:
                for answer in answers:
                    ray.get(answer)
            except RayError as error:
                if not is_loss(error):
                    raise
                self.taking = {key: other for key, other in self.taking.items() if other is not worker}
                self.lose(worker)
        if not self.members:
            raise AllLost

    def first(self, ask: Any) -> Any:
        """The answer of the first member that gives one."""
        while self.members:
            worker = self.members[0]
            try:
                return ray.get(ask(worker))
            except RayError as error:
                if not is_loss(error):
                    raise
                self.lose(worker)
        raise AllLost

    def dismiss(self) -> None:
        """Lets all workers go."""
        for worker in [*self.members, *self.hired.values(), *self.taking.values()]:
            ray.kill(worker)
        self.members, self.hired, self.taking = [], {}, {}
