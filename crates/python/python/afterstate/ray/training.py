"""One network taught by several machines, and a run that survives the loss of any of them.

A round of `every` games is cut into shares. Workers play shares, each beginning with the network of the last exchange, on
as many threads as they have. Then all that was changed is joined entry by entry, by the workers, and everybody
goes on from the same network:

    sums E, A and visits        add up
    weights                     average of the moves, weighted by activity (the growth of A, or of the visits)

An entry that one share alone has visited moves as far as it did there. See `exchange` in the Rust library.

Chance comes from the seed, the round and the share alone. A share whose worker dies is played by another one; if all die, or
the driver, the run goes on from its last checkpoint. With one thread for each worker it ends with the same weights, to
the bit, as if nothing had happened, on however many machines.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import ray
from ray.exceptions import RayError

from afterstate import Network, Trainer
from afterstate import recipe as recipe_text
from afterstate.ray.place import Place, pack, unpack
from afterstate.ray.team import AllLost, Team, is_loss
from afterstate.training import overrides

PARTS = 4
"""Parts that are joined apart, by different workers."""
KEEP = 2
"""Checkpoints that are kept."""
FUTILE = 5
"""How often in a row a team may be lost without a single round in between."""
ROOM = 256 << 20
"""Memory of a worker besides the network: the interpreter, and what it tells."""


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
    """Workers that played in this round."""
    replayed: int
    """Shares that were played again because their worker, or what it told, was lost."""
    seconds: float
    """How long the round took."""


@dataclass(frozen=True)
class _Plan:
    """What makes a run the run it is."""

    recipe: str
    seed: int
    workers: int
    every: int
    rule: str
    threads: int

    def shares(self, number: int, total: int) -> list[tuple[int, int, int]]:
        """The shares of a round: seed, games before it, games."""
        first = number * self.every
        games = min(self.every, total - first)
        found = []
        for share in range(self.workers):
            mine = games // self.workers + (share < games % self.workers)
            name = f"{self.seed}/{number}/{share}".encode()
            found.append((int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little"), first, mine))
            first += mine
        return [share for share in found if share[2]]


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
    run: str | os.PathLike[str] | None = None,
    resume: bool = False,
    checkpoint: float = 600.0,
) -> Network:
    """Has `workers` machines teach one network, `games` games together, and returns it with its sums.

    They exchange what they have learned after every `every` games of all together. `rule` says how moves of weights
    are joined, "average" (by activity) or "sum". A worker that dies is replaced, and its share is played by whoever is
    there. `callback` hears of every exchange and stops the training by returning `False`.

    `run` is a directory that all machines see, or a URI that pyarrow opens (`s3://bucket/runs/mine`): a checkpoint is
    written there every `checkpoint` seconds, by a worker, and the model at the end. `resume=True` goes on from the last
    checkpoint, or begins if there is none, so that whatever starts a killed driver again may always say it.
    """
    text = recipe_text(recipe, overrides(sets))
    total = games if games is not None else _games_of(text)
    if workers < 1 or every < workers:
        raise ValueError("at least one worker is needed, and a game for each between exchanges")
    if rule not in ("average", "sum"):
        raise ValueError(f"'{rule}' is no rule; write average or sum")
    plan = _Plan(text, seed, workers, every, rule, threads)
    record = None if run is None else _Record(Place(run), plan, resume)
    if record is not None and (done := record.finished(total)) is not None:
        return done
    if not ray.is_initialized():
        ray.init()
    if network is None:
        begin: Any = None
    elif record is None:
        begin = ray.put(pack(network))
    else:
        begin = record.begin(network)
    memory = Trainer.shared_bytes(text) + ROOM
    team = Team(text, size=workers, threads=threads, memory=memory, place=None if record is None else record.place)
    try:
        return _Training(plan, total, team, record, begin, checkpoint, callback).run()
    finally:
        team.dismiss()


class _Record:
    """The files of a run: `run.json`, `rounds.jsonl`, `checkpoints/` and at the end `model.afterstate`."""

    def __init__(self, place: Place, plan: _Plan, resume: bool) -> None:
        self.place = place
        self.rounds: list[Round] = []
        content = json.dumps({"format": "afterstate-shared-run-v1", **asdict(plan)}, indent=1).encode()
        there = place.read("run.json")
        if there is None:
            place.write("run.json", content)
        elif not resume:
            raise ValueError(f"{place} has a run already; resume=True goes on with it")
        elif there != content:
            other = json.loads(there)
            different = [key for key, value in json.loads(content).items() if other.get(key) != value]
            raise ValueError(f"the run in {place} has another {', '.join(different)}; take the same, or another place")

    def begin(self, network: Network) -> tuple[Place, str]:
        """Keeps the network with which the run begins: it is needed again if all is lost before the first checkpoint."""
        name = "begin.afterstate"
        if name not in self.place.list("."):
            self.place.save(name, network, {})
        return self.place, name

    def last(self) -> tuple[int, tuple[Place, str] | None]:
        """The number of rounds of the last checkpoint, and the checkpoint."""
        names = [name for name in self.place.list("checkpoints") if name.endswith(".afterstate")]
        if not names:
            return 0, None
        return int(names[-1].split(".")[0]), (self.place, f"checkpoints/{names[-1]}")

    def forget_after(self, number: int) -> None:
        """Takes the rounds up to this one from the file."""
        lines = (self.place.read("rounds.jsonl") or b"").decode().splitlines()
        self.rounds = [Round(**json.loads(line)) for line in lines][:number]

    def save(self, team: Team, number: int, games: int) -> None:
        """A checkpoint, and the rounds that led to it; older checkpoints go."""
        name = f"checkpoints/{number:08}.afterstate"
        metadata = {"trained_games": str(games)}
        team.first(lambda worker: worker.save.remote(self.place, name, metadata))
        lines = "".join(json.dumps(asdict(one)) + "\n" for one in self.rounds)
        self.place.write("rounds.jsonl", lines.encode())
        for old in self.place.list("checkpoints")[:-KEEP]:
            self.place.remove(f"checkpoints/{old}")

    def finished(self, total: int) -> Network | None:
        """The model, if so many games were played already."""
        if "model.afterstate" not in self.place.list("."):
            return None
        model = self.place.load("model.afterstate")
        return model if int(model.metadata["trained_games"]) >= total else None


@dataclass
class _Training:
    """The driver: it says who does what, and no weight passes through it."""

    plan: _Plan
    total: int
    team: Team
    record: _Record | None
    start: Any
    checkpoint: float
    callback: Callable[[Round], object] | None
    saved: float = field(default_factory=time.monotonic)

    def run(self) -> Network:
        """Rounds until the games are played; from the last checkpoint again whenever all workers are lost."""
        futile = 0
        while True:
            number, begin = (0, None) if self.record is None else self.record.last()
            if self.record is not None:
                self.record.forget_after(number)
            before = number
            try:
                self.team.begin(self.start if begin is None else begin)
                while number * self.plan.every < self.total:
                    news = self._round(number)
                    number, futile = number + 1, 0
                    if self._heard(news, number):
                        break
                return self._end(number)
            except AllLost:
                futile = futile + 1 if number == before else 1
                if futile >= FUTILE:
                    raise RuntimeError(f"all workers died {FUTILE} times in a row; look at Ray's logs") from None

    def _heard(self, news: Round, number: int) -> bool:
        """Tells of a round, and saves if it is time; whether to stop."""
        if self.record is not None:
            self.record.rounds.append(news)
        stop = self.callback is not None and self.callback(news) is False
        due = time.monotonic() - self.saved >= self.checkpoint
        if self.record is not None and (stop or due):
            self.record.save(self.team, number, news.games)
            self.saved = time.monotonic()
        return stop

    def _round(self, number: int) -> Round:
        """Has all shares played and what was learned joined and applied."""
        began, replayed = time.monotonic(), 0
        while True:
            reports, told, who, again = self._play(self.plan.shares(number, self.total))
            replayed += again
            try:
                entries, joined = self._join(told)
                break
            except RayError as error:
                if not is_loss(error):
                    raise
                replayed += len(told)  # a machine is gone with what was told there: everybody still has the beginning
        self.team.all(lambda worker: worker.apply.remote(*joined))
        played = sum(games for games, _ in reports)
        mean = sum(games * mean for games, mean in reports) / max(1, played)
        games = min(self.total, (number + 1) * self.plan.every)
        return Round(games, mean, entries, who, replayed, round(time.monotonic() - began, 3))

    def _play(self, shares: list[tuple[int, int, int]]) -> tuple[list[tuple[int, float]], list[Any], int, int]:
        """Has the shares played by whoever is there: reports and references to what was learned, in order of shares."""
        todo = deque(range(len(shares)))
        free = deque(self.team.members)
        playing: dict[Any, tuple[int, Any, list[Any]]] = {}
        answers: dict[int, tuple[tuple[int, float], list[Any]]] = {}
        who, again = set(), 0
        while len(answers) < len(shares):
            while todo and free:
                share, worker = todo.popleft(), free.popleft()
                report, *parts = worker.learn.options(num_returns=1 + PARTS).remote(*shares[share], PARTS)
                playing[report] = (share, worker, parts)
            if not self.team.members:
                raise AllLost
            done, _ = ray.wait([*playing, *self.team.hired, *self.team.taking], num_returns=1)
            one = done[0]
            if one in playing:
                share, worker, parts = playing.pop(one)
                try:
                    answers[share] = (ray.get(one), parts)
                    free.append(worker)
                    who.add(worker)
                except RayError as error:
                    if not is_loss(error):
                        raise
                    todo.append(share)
                    again += 1
                    self.team.lose(worker)
            else:
                had = len(self.team.members)
                self.team.heard(one)
                free.extend(self.team.members[had:])
        ordered = [answers[share] for share in range(len(shares))]
        return [report for report, _ in ordered], [parts for _, parts in ordered], len(who), again

    def _join(self, told: list[Any]) -> tuple[int, list[Any]]:
        """Joins what was learned: the workers take the parts in turn, for they are there and need not be begun."""
        members = self.team.members

        def join(part: int) -> Any:
            worker = members[part % len(members)]
            return worker.join.options(num_returns=2).remote(self.plan.rule, *(parts[part] for parts in told))

        joined = [join(part) for part in range(PARTS)]
        return sum(ray.get([count for count, _ in joined])), [part for _, part in joined]

    def _end(self, number: int) -> Network:
        """The network after the last round."""
        games = min(self.total, number * self.plan.every)
        metadata = {"trained_games": str(games)}
        if self.record is None:
            return unpack(self.team.first(lambda worker: worker.pack.remote(metadata)))
        place = self.record.place
        self.record.save(self.team, number, games)
        self.team.first(lambda worker: worker.save.remote(place, "model.afterstate", metadata))
        return place.load("model.afterstate")


def _games_of(text: str) -> int:
    """The number of games a resolved recipe asks for."""
    inside = text.split("[run]", 1)[1]
    for line in inside.splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "games":
            return int(value)
    raise ValueError("the recipe has no number of games")
