"""Golden trajectories: whole games with every slide and every new tile written down.

They need no environment, only a function that slides: replay the moves, compare each slide, put the new tile where it
is written. The file `golden.jsonl` beside this module has one game on each line:

    {"game": "2048-4x4-v1", "start": "0100/…", "steps": [["left", "1000/…", 4, "1001/…", "urd"], …], "score": 1234, …}

A step is the move, the board after the slide, its reward, the position with the new tile (in Threes with bag and
hint), and the moves that are legal there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate._native import Game, Random


@dataclass(frozen=True)
class Step:
    """One move of a golden game."""

    action: str
    """up, right, down or left."""
    slid: str
    """The ranks after the slide, before the new tile."""
    reward: int
    """The points of the slide."""
    state: str
    """The position with the new tile."""
    legal: str
    """The legal moves of that position, by their first letters: `urdl`."""


@dataclass(frozen=True)
class Trajectory:
    """A golden game."""

    game: str
    """The game with the version of its rules."""
    start: str
    """Start position."""
    steps: tuple[Step, ...]
    """Its moves."""
    score: int
    """The points at its end."""
    about: str = ""
    """Its purpose."""


def golden() -> Iterator[Trajectory]:
    """All golden games.

    >>> trajectory = next(golden())
    >>> trajectory.game, trajectory.steps[0].action in ("up", "right", "down", "left")
    ('2048-4x4-v1', True)
    """
    text = resources.files("afterstate.conformance").joinpath("golden.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        found = json.loads(line)
        steps = tuple(Step(*step) for step in found.pop("steps"))
        yield Trajectory(steps=steps, **found)


def check_slides(slide: Callable[[NDArray[np.int64], int], tuple[Any, float] | None]) -> list[str]:
    """Compares a function with all golden games of 2048: what differs, one line each.

    `slide(board, action)` gets ranks and 0 up, 1 right, 2 down, 3 left, and returns the ranks after the slide and the
    reward, or `None` where nothing moves.

    >>> def ours(board, action):
    ...     found = Game("2048-%dx%d" % board.shape).position(ranks=board).slide(action)
    ...     return found and (found.afterstate.board, found.reward)
    >>> check_slides(ours)
    []
    """
    wrong: list[str] = []
    names = ("up", "right", "down", "left")
    for trajectory in golden():
        if not trajectory.game.startswith("2048"):
            continue
        game = Game(trajectory.game)
        state = game.position(trajectory.start)
        for number, step in enumerate(trajectory.steps, 1):
            for action, name in enumerate(names):
                given = slide(state.board.astype(np.int64), action)
                legal = state.slide(action)
                where = f"{trajectory.game} move {number} at {state.text}, {name}"
                if (given is None) != (legal is None):
                    wrong.append(f"{where}: {'legal' if legal else 'not legal'}")
                elif given is not None and name == step.action:
                    expected = game.position(step.slid).board
                    if not np.array_equal(np.asarray(given[0]), expected) or given[1] != step.reward:
                        wrong.append(f"{where}: becomes {step.slid} for {step.reward} points")
            state = game.position(step.state)
    return wrong


def record(game: Game, start: str | None, seed: int, most: int, about: str) -> dict[str, Any]:
    """Plays a random game and writes it down, as `golden.jsonl` holds it."""
    random = Random(seed)
    state = game.start(random=random) if start is None else game.position(start)
    first, score = state.text, state.start_score
    steps: list[list[Any]] = []
    letters = "urdl"
    while not state.is_over and len(steps) < most:
        legal = state.legal
        slide = state.slide(legal[random.below(len(legal))])
        assert slide is not None
        outcome = slide.afterstate.sample(random=random)
        state = outcome.state
        score += slide.reward + outcome.reward
        name = ("up", "right", "down", "left")[slide.direction]
        steps.append([name, slide.afterstate.text, slide.reward, state.text, "".join(letters[d] for d in state.legal)])
    return {"game": game.id, "start": first, "steps": steps, "score": score, "about": about}


def all_records() -> list[dict[str, Any]]:
    """The golden games, played again: what the file must hold."""
    plain = [("2048", None, seed, 2000, "a random game") for seed in range(4)]
    large = [
        ("2048", "ff00/0000/0000/0000", 1, 40, "32768 + 32768"),
        ("2048", "gg11/ff22/ee33/dd44", 2, 60, "65536 + 65536"),
        ("2048", "hg00/fe00/dc00/ba00", 3, 60, "131072 on the board"),
        ("2048", "1212/2121/1212/2120", 4, 10, "one tile from the end"),
    ]
    sizes = [(name, None, 7, 2000, "a random game") for name in ("2048-2x2", "2048-3x3", "2048-3x4", "2048-1x4")]
    sizes.append(("2048-5x5", None, 7, 400, "the beginning of a random game"))
    threes = [(name, None, 9, 2000, "a random game") for name in ("threes", "threes-app", "threes-course")]
    return [record(Game(name), *rest) for name, *rest in plain + large + sizes + threes]
