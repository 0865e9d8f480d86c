"""Plays an environment and compares every step with the exact rules of 2048."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from afterstate._native import Game, State
from afterstate.conformance.adapters import Adapter, Seen

KINDS = {
    "start": "a game does not start with two tiles, each a 2 or a 4",
    "slide": "tiles do not move as they should",
    "double-merge": "a tile made by a merge merges again in the same move",
    "overflow": "large tiles are lost, wrap around or do not merge",
    "reward": "the reward is not the sum of the merged tiles",
    "no-spawn": "a legal move adds no tile",
    "spawn": "a legal move adds something else than one 2 or 4 on an empty cell",
    "illegal-move": "an illegal move changes the board or pays",
    "stale-mask": "the mask of legal moves is the one before the new tile",
    "mask": "the mask of legal moves is wrong",
    "end": "the game ends too early or too late",
    "odds": "new tiles do not come with the right odds",
    "crash": "a move raises an exception",
}
"""Findings of the checker, by name."""

POSITIONS = (
    "1000/0000/0000/0000", "1210/3302/0043/5512", "1111/2222/3333/4444", "2211/0000/1122/1221", "1110/0111/1011/1101",
    "1020/0310/2003/0312", "1234/2345/3456/4560", "0123/1234/2345/3456", "1212/2121/1212/2120", "1212/2121/1212/2111",
    "1222/2000/0000/0001", "4440/0444/0040/0404", "ee00/e000/e000/0000", "ff00/0000/0000/0000", "gg00/0000/0000/0000",
    "fe11/0000/0000/0001", "gfed/789a/6543/0112", "hg00/0000/0000/0000", "gg11/ff22/ee33/dd44", "0001/0002/0003/0002",
    "1213/2121/1212/2120", "1212/2121/1212/2101", "2424/4242/2424/4240",
)  # fmt: skip
"""Positions that tell bugs apart: double merges, large tiles, boards one tile from the end."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, with the step that shows it."""

    kind: str
    """One of `KINDS`."""
    message: str
    """Observed and expected behaviour."""
    position: str = ""
    """The position before the move."""
    action: str = ""
    """The move."""

    def __str__(self) -> str:
        where = f" ({self.position}, {self.action})" if self.position else ""
        return f"{self.kind}: {self.message}{where}"


@dataclass
class Report:
    """Result of a check."""

    steps: int = 0
    """Steps that were compared."""
    games: int = 0
    """Games that were started."""
    placed: bool = False
    """True if positions could be put in, which finds far more."""
    findings: list[Finding] = field(default_factory=list)
    """At most three of each kind."""
    counts: Counter[str] = field(default_factory=Counter)
    """Counts by kind."""

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.findings

    def __str__(self) -> str:
        place = "" if self.placed else "; positions cannot be put in, so rare ones were not tried"
        head = f"{self.steps} steps of {self.games} games{place}\n"
        if self.ok:
            return head + "nothing wrong was found\n"
        lines = [f"{kind}: {KINDS[kind]} ({count} times)" for kind, count in self.counts.most_common()]
        return head + "\n".join([*lines, "", *map(str, self.findings)]) + "\n"


NAMES = ("up", "right", "down", "left")


def check(adapter: Adapter, *, steps: int = 5000, seed: int = 0, rewards: bool = True) -> Report:
    """Plays about `steps` steps, legal and illegal ones, and every move of positions that tell bugs apart.

    `rewards=False` leaves rewards alone, for environments that pay something else than the merged tiles.
    """
    return _Check(adapter, seed, rewards).run(steps)


class _Check:
    def __init__(self, adapter: Adapter, seed: int, rewards: bool) -> None:
        self.adapter = adapter
        self.rewards = rewards
        self.report = Report()
        self.choose = np.random.default_rng(seed)
        self.game = Game("2048")
        self.fours = self.tiles = 0
        self.places: list[float] = []

    def run(self, steps: int) -> Report:
        seen = self.start()
        rows, cols = seen.board.shape
        self.game = Game(f"2048-{rows}x{cols}")
        self.play(seen, steps)
        if (rows, cols) == (4, 4):
            self.positions()
        self.odds()
        return self.report

    def start(self) -> Seen:
        """Starts a game and looks whether it starts as it should."""
        self.report.games += 1
        seen = self.adapter.reset(int(self.choose.integers(1 << 31)))
        tiles = seen.board[seen.board > 0]
        if len(tiles) != 2 or not np.isin(tiles, (1, 2)).all():
            self.find("start", f"a game starts with the ranks {sorted(tiles.tolist())}")
        return seen

    def play(self, seen: Seen, steps: int) -> None:
        """Plays games at random, now and then an illegal move, to the end of each."""
        stuck = 0
        while self.report.steps < steps:
            state = self.state(seen.board)
            if state is None or state.is_over or stuck > 20:
                seen, stuck = self.start(), 0
                continue
            legal = state.legal
            pick = range(4) if self.choose.random() < 0.1 else legal
            action = int(self.choose.choice(list(pick)))
            after = self.step(state, action)
            stuck = stuck + 1 if (after.board == seen.board).all() else 0
            seen = after
            if after.over and not self.over(after):
                seen = self.start()

    def positions(self) -> None:
        """Tries every move of the positions, several times, if they can be put in."""
        kept = self.fours, self.tiles, list(self.places)
        for text in POSITIONS:
            state = self.game.position(text)
            for action in range(4):
                for _ in range(8):
                    if not self.place(state):
                        break
                    self.step(state, action)
        # An environment may deal the same chance whenever a position is put in.
        self.fours, self.tiles, self.places = kept

    def place(self, state: State) -> bool:
        """Puts a position in; what cannot hold a large tile is told."""
        wrong = ""
        try:
            seen = self.adapter.place(state.board.astype(np.int64))
            if seen is not None and (seen.board == state.board).all():
                self.report.placed = True
                return True
            if seen is not None:
                wrong = f"it is shown as {_text(seen.board)}"
        except Exception as error:  # whatever a foreign environment raises
            wrong = f"it raises {error!r}"
        if wrong and self.report.placed and state.board.max() > 15:
            self.find("overflow", f"the position cannot be put in: {wrong}", state)
        return False

    def state(self, board: NDArray[np.int64]) -> State | None:
        try:
            return self.game.position(ranks=board)
        except ValueError:
            self.find("overflow", f"the board {board.tolist()} holds tiles that do not exist")
            return None

    def over(self, seen: Seen) -> bool:
        state = self.state(seen.board)
        return state is None or state.is_over

    def step(self, state: State, action: int) -> Seen:
        """One move, compared with the rules."""
        self.report.steps += 1
        slide = state.slide(action)
        try:
            seen = self.adapter.step(action)
        except Exception as error:  # whatever a foreign environment raises
            large = slide is not None and slide.afterstate.board.max() > 15
            self.find("overflow" if large else "crash", f"it raises {error!r}", state, action)
            return Seen(state.board.astype(np.int64))
        if slide is None:
            self.compare_illegal(state, action, seen)
        else:
            self.compare_slide(state, action, seen, slide.afterstate.board.astype(np.int64), slide.reward)
        self.compare_flags(state, action, seen, None if slide is None else slide.afterstate.board)
        return seen

    def compare_illegal(self, state: State, action: int, seen: Seen) -> None:
        if not (seen.board == state.board).all():
            self.find("illegal-move", f"the board becomes {_text(seen.board)}", state, action)
        elif self.rewards and seen.reward > 0:
            self.find("illegal-move", f"it pays {seen.reward:g}", state, action)

    def compare_slide(self, state: State, action: int, seen: Seen, after: NDArray[np.int64], reward: int) -> None:
        changed = np.flatnonzero(seen.board.ravel() != after.ravel())
        new = seen.board.ravel()[changed]
        if len(changed) == 0:
            self.find("no-spawn", f"the board becomes {_text(after)} and no tile is added", state, action)
        elif len(changed) == 1 and after.ravel()[changed[0]] == 0:
            if new[0] in (1, 2):
                self.count(after, int(changed[0]), int(new[0]))
            else:
                self.find("spawn", f"a tile of rank {new[0]} is added", state, action)
        else:
            self.find(self.why(state, seen.board, after), f"{_text(after)} should get a tile, it becomes {_text(seen.board)}", state, action)
        if self.rewards and seen.reward != reward:
            self.find("reward", f"it pays {seen.reward:g} instead of {reward}", state, action)

    def why(self, state: State, board: NDArray[np.int64], after: NDArray[np.int64]) -> str:
        """Bug that turns the slide into this board."""
        if (after > 0).sum() - (board > 0).sum() in (-1, 0, 1) and after.max() >= 15 and state.board.max() >= 15:
            return "overflow"
        if (board > 0).sum() == (after > 0).sum() + 1 and np.isin(after[board == 0], (0,)).all() and (board >= after).all():
            return "spawn"
        if (board > 0).sum() <= (after > 0).sum() and board.max() > after.max() or (board > 0).sum() < (after > 0).sum():
            return "double-merge"
        return "spawn" if (board >= after).all() and (board[after > 0] == after[after > 0]).all() else "slide"

    def compare_flags(self, state: State, action: int, seen: Seen, after: NDArray[np.uint8] | None) -> None:
        now = self.state(seen.board)
        if now is None:
            return
        if seen.over != now.is_over:
            said = "over" if seen.over else "not over"
            self.find("end", f"the game is called {said} at {_text(seen.board)}", state, action)
        if seen.mask is None or (seen.mask == (now.mask > 0)).all():
            return
        before = [np.asarray(state.mask > 0)]
        if after is not None:
            before.append(np.asarray(self.game.position(ranks=after).mask > 0))
        stale = any((seen.mask == mask).all() for mask in before)
        said = ", ".join(name for name, legal in zip(NAMES, seen.mask) if legal) or "none"
        self.find("stale-mask" if stale else "mask", f"{said} are called legal at {_text(seen.board)}", state, action)

    def count(self, after: NDArray[np.int64], cell: int, rank: int) -> None:
        self.tiles += 1
        self.fours += rank == 2
        empty = np.flatnonzero(after.ravel() == 0)
        if len(empty) > 1:
            # Uniform in 0 … 1 if every empty cell is as likely, whatever their number.
            self.places.append((int(np.searchsorted(empty, cell)) + float(self.choose.random())) / len(empty))

    def odds(self) -> None:
        """New tiles: one 4 in 10, everywhere alike; told only where chance would not do it in a million checks."""
        if self.tiles < 200:
            return
        off = (self.fours / self.tiles - 0.1) / np.sqrt(0.09 / self.tiles)
        if abs(off) > 5:
            self.find("odds", f"{self.fours} of {self.tiles} new tiles are 4s, one in ten should be")
        hits = np.histogram(self.places, bins=8, range=(0, 1))[0]
        expected = len(self.places) / 8
        # χ² with 7 degrees of freedom exceeds 41 once in a million.
        if expected > 0 and float(((hits - expected) ** 2 / expected).sum()) > 41:
            self.find("odds", f"new tiles prefer some cells: {hits.tolist()} from the first to the last empty one")

    def find(self, kind: str, message: str, state: State | None = None, action: int | None = None) -> None:
        self.report.counts[kind] += 1
        if self.report.counts[kind] <= 3:
            name = "" if action is None else NAMES[action]
            self.report.findings.append(Finding(kind, message, "" if state is None else state.text, name))


def _text(board: NDArray[np.int64]) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    return "/".join("".join(digits[r] if 0 <= r < 36 else f"({r})" for r in row) for row in board.tolist())
