"""Gymnasium environments: 2048 of any size, 1024 and Threes.

    gymnasium.make("afterstate/2048-v1", size="3x3", render_mode="ansi")

Actions are 0 up, 1 right, 2 down, 3 left. The reward is what the game pays. An illegal move changes nothing, earns
nothing and is told by `info["is_legal"]`. A game is terminated when no move is legal; nothing is ever truncated.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from afterstate import rendering
from afterstate._native import Game, Random, State

MAX_RANK = 60
"""The largest rank a position may hold."""

MAX_HINT = 60
"""The largest hint: the smallest rank a bonus tile may have."""


def make_game(game: str | Game, size: str | tuple[int, int] | None, options: dict[str, Any]) -> Game:
    """The game of this name on a board of this size, with `start_tiles`, `spawn` and `merge_cap`."""
    if isinstance(game, Game):
        if size is not None or options:
            raise ValueError("a Game has its size and options already; give its name instead")
        return game
    if size is not None:
        text = size if isinstance(size, str) else f"{size[0]}x{size[1]}"
        game = f"{game}-{text}"
    return Game(game, **options)


def channels_of(game: Game) -> int:
    """Channels of a one-hot observation: all ranks play can reach, larger ones share the last."""
    rows, cols = game.shape
    return 16 if game.has_hint else min(rows * cols + 2, MAX_RANK + 1)


def board_space(game: Game, one_hot: bool) -> spaces.Box:
    """Observation of a board."""
    rows, cols = game.shape
    if one_hot:
        return spaces.Box(0, 1, (rows, cols, channels_of(game)), np.uint8)
    return spaces.Box(0, MAX_RANK, (rows, cols), np.uint8)


def observation_space(game: Game, one_hot: bool) -> spaces.Space[Any]:
    """A board; in Threes with the announced tile and the bag."""
    board = board_space(game, one_hot)
    if not game.has_hint:
        return board
    return spaces.Dict({"board": board, "hint": spaces.Discrete(MAX_HINT + 1), "bag": spaces.Box(0, 4, (3,), np.uint8)})


def one_hot_of(ranks: NDArray[np.uint8], channels: int) -> NDArray[np.uint8]:
    """Ranks as a last axis of zeros and a one."""
    return np.eye(channels, dtype=np.uint8)[np.minimum(ranks, channels - 1)]


def start_of(game: Game, options: dict[str, Any]) -> State | None:
    """The position that the options of a reset name; `None` where they name none."""
    unknown = set(options) - {"board", "tiles", "hint", "bag"}
    if unknown:
        raise ValueError(f"reset knows the options board, tiles, hint and bag, not {', '.join(sorted(unknown))}")
    board, tiles = options.get("board"), options.get("tiles")
    extra = {"hint": options.get("hint"), "bag": options.get("bag")}
    if board is None:
        return None if tiles is None else game.position(tiles=tiles, **extra)
    if tiles is not None:
        raise ValueError("give board or tiles, not both")
    if isinstance(board, State):
        return game.position(board.text)
    return game.position(board, **extra) if isinstance(board, str) else game.position(ranks=board, **extra)


class GameEnv(gymnasium.Env[Any, np.int64]):
    """One game.

    `size` is a text like "3x4" or a pair; `one_hot` shows boards as zeros and ones of shape (rows, columns, ranks);
    `start_tiles`, `spawn` and `merge_cap` make variants. `reset(options={"board": ...})` starts anywhere: a `State`, text
    in any dialect, or ranks as observations show them (`"tiles"` instead for the numbers on the tiles), for Threes with
    `"hint"` and `"bag"`.

    >>> env = GameEnv("2048", size="2x2")
    >>> observation, info = env.reset(seed=1, options={"board": "11/00"})
    >>> env.step(3)[1], env.score
    (4.0, 4)
    """

    metadata = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 10}

    def __init__(
        self,
        game: str | Game = "2048",
        *,
        size: str | tuple[int, int] | None = None,
        one_hot: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = make_game(game, size, options)
        self.one_hot = one_hot
        self.observation_space = observation_space(self.game, one_hot)
        self.action_space = spaces.Discrete(4)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r} is not one of {self.metadata['render_modes']}")
        self.render_mode = render_mode
        self.score = 0
        """Points of the game so far."""
        self.state: State | None = None
        """The position."""
        self._random = Random(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deals a new game, or goes on from `options["board"]`."""
        super().reset(seed=seed)
        self._random = Random(int(self.np_random.integers(1 << 63)))
        self.state = start_of(self.game, options or {}) or self.game.start(random=self._random)
        self.score = self.state.start_score
        if self.render_mode == "human":
            self.render()
        return self._observation(self.state), self._info(self.state, True)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Slides, and chance adds a tile."""
        state = self._now()
        slide = state.slide(int(action))
        reward = 0
        if slide is not None:
            outcome = slide.afterstate.sample(random=self._random)
            reward = slide.reward + outcome.reward
            self.state = state = outcome.state
            self.score += reward
        if self.render_mode == "human":
            self.render()
        info = self._info(state, slide is not None)
        return self._observation(state), float(reward), not info["action_mask"].any(), False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Mask of legal moves, as MaskablePPO asks for it."""
        return self._now().mask

    def render(self) -> Any:
        """The board as text (`ansi`), as a picture (`rgb_array`), or printed to the terminal (`human`)."""
        state = self._now()
        if self.render_mode == "rgb_array":
            return rendering.picture(state)
        text = rendering.text(state, self.score)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write("\x1b[H\x1b[2J" + text if sys.stdout.isatty() else text)
            sys.stdout.flush()
        return None

    def _now(self) -> State:
        if self.state is None:
            raise gymnasium.error.ResetNeeded("call reset before anything else")
        return self.state

    def _observation(self, state: State) -> Any:
        board = state.board
        if self.one_hot:
            board = one_hot_of(board, channels_of(self.game))
        if not self.game.has_hint:
            return board
        return {"board": board, "hint": np.int64(state.hint), "bag": np.asarray(state.bag, dtype=np.uint8)}

    def _info(self, state: State, legal: bool) -> dict[str, Any]:
        return {"action_mask": state.mask, "is_legal": legal, "score": self.score, "largest": state.largest}
