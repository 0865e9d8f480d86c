"""Training by a recipe, with a callback."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from afterstate import _native


@dataclass(frozen=True)
class Progress:
    """Status of a training run."""

    games: int
    """Games so far."""
    total: int
    """Games in all."""
    moves: int
    """Moves so far."""
    seconds: float
    """Seconds of playing and learning so far."""
    moves_per_second: float
    """Speed."""
    seconds_left: float
    """An estimate."""
    mean: float
    """The average score of the latest games."""
    curve: list[float] = field(repr=False)
    """The averages of every 1,000 games so far."""
    tiles: dict[int, float] = field(repr=False)
    """The share of the latest games that reached each tile."""


def overrides(sets: Mapping[str, Any] | None) -> list[str]:
    """Changes to a recipe as the command line writes them: `{"learning.beta": 0.5}` is `learning.beta=0.5`."""

    def text(value: Any) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(f'"{item}"' if isinstance(item, str) else text(item) for item in value) + "]"
        return str(value)

    return [f"{key}={text(value)}" for key, value in (sets or {}).items()]


def train(
    recipe: str = "quick",
    *,
    games: int | None = None,
    sets: Mapping[str, Any] | None = None,
    threads: int | None = None,
    seed: int | None = None,
    seconds: float | None = None,
    callback: Callable[[Progress], object] | None = None,
    run: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> _native.Network:
    """Trains a network as the command `afterstate train` does, without the interpreter's lock.

    `recipe` is a built-in one (see `recipes`), a file, or the text of one; `sets` changes it, like
    `{"learning.beta": 0.5}`. `callback` is called several times a second, on this thread, with a `Progress`; the run
    stops and is saved if it returns `False` (`None` goes on). Ctrl-C stops it too. With `run` a run directory keeps
    checkpoints, logs and evaluations, and `resume=True` goes on with it.

    >>> network = train("optimum-2x2", games=300, threads=1)
    >>> network.metadata["trained_games"]
    '300'
    """
    changes = overrides(sets)
    changes += [f"run.{key}={value}" for key, value in (("games", games), ("threads", threads), ("seed", seed)) if value is not None]
    if resume:
        if run is None:
            raise ValueError("resume=True needs the run directory: run=")
        config = os.path.join(run, "config.toml")
        recipe = config if os.path.isfile(config) else recipe
    text = _native.recipe(recipe, changes)
    tell = None if callback is None else lambda news: callback(Progress(**news))
    if run is not None:
        finished = _native.run_recipe(text, run, resume=resume, seconds=seconds, callback=tell)
        return _native.Network.load(finished["model"])
    with tempfile.TemporaryDirectory(prefix="afterstate-") as place:
        inside = os.path.join(place, "run")
        finished = _native.run_recipe(text, inside, seconds=seconds, callback=tell)
        return _native.Network.load(finished["model"])
