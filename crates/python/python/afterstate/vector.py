"""The native vector environment: thousands of boards stepped in Rust.

    gymnasium.make_vec("afterstate/2048-v1", num_envs=1024)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as Base
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from afterstate import rendering
from afterstate._native import Batch, Game
from afterstate.envs import channels_of, make_game, observation_space, one_hot_of, start_of


class Afterstates(NamedTuple):
    """The afterstates of all four moves of many games."""

    boards: NDArray[np.uint8]
    """Ranks of shape (num_envs, 4, rows, columns): zeros where a move is not legal."""
    rewards: NDArray[np.float64]
    """What the slides pay, of shape (num_envs, 4)."""
    legal: NDArray[np.int8]
    """Mask of legal moves, of shape (num_envs, 4)."""


class Outcomes(NamedTuple):
    """All that chance can do after one move in each of many games, one outcome after the other."""

    games: NDArray[np.int64]
    """The game of each outcome."""
    observations: Any
    """What the environment would show."""
    rewards: NDArray[np.float64]
    """What the step would pay."""
    probabilities: NDArray[np.float64]
    """Exact odds: those of one game add up to 1."""


class VectorEnv(Base[Any, Any, Any]):
    """Many games of one kind, each with its own chance.

    Like `GameEnv`, for `num_envs` games at a time: observations, rewards and flags are arrays, and
    `infos["action_mask"]` has the shape (num_envs, 4). A game that is over is dealt anew by `autoreset_mode`:
    "next_step" (the step after the last ignores its action), "same_step" (`infos["final_obs"]` and
    `infos["final_info"]` tell how it ended) or "disabled" (`reset(options={"reset_mask": ...})` deals).
    `step(None)` plays a random legal move in every game, drawn in Rust.

    >>> env = VectorEnv("2048", num_envs=3)
    >>> observations, infos = env.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((3, 4, 4), (3, 4))
    >>> observations, rewards, terminations, truncations, infos = env.step(None)
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str | Game = "2048",
        num_envs: int = 1,
        *,
        size: str | tuple[int, int] | None = None,
        one_hot: bool = False,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        self.game = make_game(game, size, options)
        self.num_envs = num_envs
        self.one_hot = one_hot
        self.render_mode = render_mode
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = observation_space(self.game, one_hot)
        self.single_action_space = spaces.Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        ending = {"NextStep": "next_step", "SameStep": "same_step", "Disabled": "disabled"}[self.autoreset_mode.value]
        self.batch = Batch(self.game, num_envs, ending=ending)
        """The games themselves."""
        self._masks = self.batch.observe()[3]

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all games anew, or those of `options["reset_mask"]`; `options["board"]` starts them all there, as in `GameEnv`.

        A single seed gives game `i` the seed `seed + i`, as Gymnasium does.
        """
        options = dict(options or {})
        chosen = options.pop("reset_mask", None)
        start = start_of(self.game, options)
        if seed is not None:
            seeds: list[int | None] = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds were given for {self.num_envs} games")
        else:
            seeds = [None] * self.num_envs
        for index, one in enumerate(seeds):
            if chosen is not None and not chosen[index]:
                continue
            if one is not None:
                self.batch.seed(index, one)
            else:
                self.batch.deal(index)
            if start is not None:
                self.batch.place(index, start)
        positions = self.batch.observe()
        self._masks = positions[3]
        return self._observations(positions), {"action_mask": positions[3]}

    def step(self, actions: Any) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """A move in every game; without actions a random legal one in each."""
        if actions is not None:
            actions = np.ascontiguousarray(actions, dtype=np.int64)
        positions, rewards, over, legal = self.batch.step(actions)
        self._masks = positions[3]
        infos: dict[str, Any] = {"action_mask": positions[3], "is_legal": legal}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            self._tell_finals(infos, over)
        return self._observations(positions), rewards, over, np.zeros(self.num_envs, dtype=np.bool_), infos

    def afterstates(self) -> Afterstates:
        """The positions after every move, before chance adds a tile.

        >>> env = VectorEnv("2048", num_envs=3)
        >>> _ = env.reset(seed=1)
        >>> env.afterstates().boards.shape
        (3, 4, 4, 4)
        """
        return Afterstates(*self.batch.afterstates())

    def outcomes(self, actions: Any) -> Outcomes:
        """All that one step could lead to; a game whose action is not legal has no outcome.

        >>> env = VectorEnv("2048", size="2x2", num_envs=2)
        >>> _ = env.reset(seed=1, options={"board": "11/00"})
        >>> found = env.outcomes([3, 3])
        >>> found.games.tolist(), found.observations[1].tolist(), found.probabilities[:2].round(2).tolist()
        ([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [[2, 2], [0, 0]], [0.3, 0.03])
        """
        games, boards, hints, bags, rewards, probabilities = self.batch.outcomes(np.ascontiguousarray(actions, dtype=np.int64))
        return Outcomes(games, self._observations((boards, hints, bags, None)), rewards, probabilities)

    def action_masks(self) -> NDArray[np.int8]:
        """Mask of legal moves, of shape (num_envs, 4)."""
        return self._masks.copy()

    def render(self) -> Any:
        """The first games as texts or pictures."""
        boards, hints, bags, _ = self.batch.observe()
        scores = self.batch.scores()[0]
        shown = []
        for i in range(min(self.num_envs, 16)):
            extra: dict[str, Any] = {"hint": int(hints[i]), "bag": tuple(bags[i])} if self.game.has_hint else {}
            state = self.game.position(ranks=boards[i], **extra)
            shown.append(rendering.picture(state) if self.render_mode == "rgb_array" else rendering.text(state, int(scores[i])))
        return tuple(shown) if self.render_mode else None

    def _observations(self, positions: Any) -> Any:
        boards, hints, bags, _ = positions
        if self.one_hot:
            boards = one_hot_of(boards, channels_of(self.game))
        return {"board": boards, "hint": hints, "bag": bags} if self.game.has_hint else boards

    def _tell_finals(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> None:
        last = np.full(self.num_envs, None, dtype=object)
        score = np.zeros(self.num_envs, dtype=np.int64)
        length = np.zeros(self.num_envs, dtype=np.int64)
        for index, board, hint, bag, points, moves in self.batch.finals():
            seen: Any = one_hot_of(board, channels_of(self.game)) if self.one_hot else board
            if self.game.has_hint:
                seen = {"board": seen, "hint": np.int64(hint), "bag": np.asarray(bag, dtype=np.uint8)}
            last[index], score[index], length[index] = seen, points, moves
        infos["final_obs"] = last
        infos["_final_obs"] = over
        infos["final_info"] = {"score": score, "_score": over, "moves": length, "_moves": over}
        infos["_final_info"] = over


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    names = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}
    if mode.lower() not in names:
        raise ValueError(f"{mode!r} is no autoreset_mode; write next_step, same_step or disabled")
    return names[mode.lower()]
