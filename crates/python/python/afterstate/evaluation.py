"""Evaluation: many games, their statistics, and parts of them joined."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate import _native


@dataclass(frozen=True)
class Evaluation:
    """The report of an evaluation, as `afterstate evaluate --json` prints it, and every game's result.

    >>> from afterstate import Agent
    >>> result = evaluate(Agent(player="random", game="2048-3x3"), games=100, seed=1)
    >>> round(result.mean, 6) == round(float(result.scores.mean()), 6), result["games"], len(result.moves)
    (True, 100, 100)
    """

    report: dict[str, Any]
    """The fields of `evaluate --json`."""
    shard: str = field(repr=False)
    """The results of all games as JSON: what `merge` and the command `afterstate merge` take. Empty after a merge."""

    def __getitem__(self, key: str) -> Any:
        return self.report[key]

    def __str__(self) -> str:
        """The report as a table."""
        report = self.report
        who = report.get("model") or f"{report['player']} player"
        depth = f", {report['ply']}-ply" if "ply" in report else ""
        variant = "".join(f" ({key} {value})" for key, value in report["variant"].items())
        rows = [["", "mean", "± 95 %", "median", "min", "max"]]
        for key, name in (("score", "score"), ("moves", "moves"), ("largest", "largest tile")):
            spread = report[key]
            ci95 = spread.get("ci95")
            margin = f"{(ci95[1] - ci95[0]) / 2:,.1f}" if ci95 else "–"
            mean = f"{spread['mean']:,.1f}" if "mean" in spread else "–"
            rows.append([name, mean, margin, *(f"{spread[one]:,.0f}" for one in ("median", "min", "max"))])
        tiles = [["tile", "reached", "95 % interval"]]
        for label, tile in report["tiles"].items():
            if tile["rate"] < 1 or tile["largest"]:
                low, high = tile["ci95"]
                tiles.append([label, f"{tile['rate']:.1%}", f"{low:.1%} – {high:.1%}"])
        head = f"{report['game']}{variant}, {who}{depth}, {report['games']:,} games, seed {report['seed']}"
        return "\n\n".join([head, _table(rows), _table(tiles)])

    @property
    def mean(self) -> float:
        """The average score."""
        return float(self.report["score"]["mean"])

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of the average score; `None` below two games."""
        interval = self.report["score"]["ci95"]
        return None if interval is None else (interval[0], interval[1])

    @property
    def scores(self) -> NDArray[np.int64]:
        """The score of every game, in the order of their numbers."""
        return self._column("score")

    @property
    def moves(self) -> NDArray[np.int64]:
        """The number of moves of every game."""
        return self._column("moves")

    def untimed(self) -> dict[str, Any]:
        """The report without what depends on the speed of the machine: the same wherever it is played."""
        timed = ("seconds", "seconds_per_game", "moves_per_second")
        return {key: value for key, value in self.report.items() if key not in timed}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes report and games to a file that `afterstate merge` reads."""
        whole = {**self.report, "shard": json.loads(self.shard)} if self.shard else self.report
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole, file)

    def _column(self, name: str) -> NDArray[np.int64]:
        if not self.shard:
            raise ValueError("a merged evaluation keeps no single games; ask its parts")
        return np.asarray(json.loads(self.shard)[name], dtype=np.int64)


def _table(rows: list[list[str]]) -> str:
    """Columns of their own width, numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows
    )


def evaluate(
    agent: _native.Agent,
    games: int = 1000,
    *,
    seed: int = 1,
    threads: int | None = None,
    shard: tuple[int, int] = (1, 1),
) -> Evaluation:
    """Plays games without the interpreter's lock and reports how they went; `print` shows it as a table.

    An agent plays at the `ply` it was given, else at 1-ply (the heuristic player at 2-ply), as the command does.
    The numbers depend on the seed, not on the number of threads, and are those of the command line. With
    `shard=(i, n)`, from (1, n) to (n, n), only that part of the games is played; `merge` joins the parts.
    """
    if not isinstance(agent, _native.Agent):
        raise TypeError(f"evaluate plays the games of an Agent; write evaluate(Agent({agent!r}))")
    count = threads if threads is not None else os.cpu_count() or 1
    report, part = _native.evaluate(agent, games, seed, count, shard)
    return Evaluation(json.loads(report), part)


def merge(parts: Iterable[Evaluation | str]) -> Evaluation:
    """Joins all parts of an evaluation into what one machine would have reported.

    >>> from afterstate import Agent
    >>> agent = Agent(player="random", game="2048-2x3")
    >>> parts = [evaluate(agent, games=90, shard=(i, 3)) for i in (3, 1, 2)]
    >>> merge(parts).untimed() == evaluate(agent, games=90).untimed()
    True
    """
    texts = [part.shard if isinstance(part, Evaluation) else part for part in parts]
    return Evaluation(json.loads(_native.merge(texts)), "")
