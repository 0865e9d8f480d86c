"""Adapters between the checker and an environment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Seen:
    """Observation of an environment after a reset or a step."""

    board: NDArray[np.int64]
    """Ranks: 0 for empty, k for the tile 2**k."""
    reward: float = 0.0
    """Reward of the step."""
    over: bool = False
    """True if the game is over."""
    mask: NDArray[np.bool_] | None = None
    """Moves it calls legal: up, right, down, left; `None` if it does not say."""


class Adapter(Protocol):
    """Interface the checker needs of an environment. Actions are 0 up, 1 right, 2 down, 3 left."""

    def reset(self, seed: int) -> Seen:
        """Starts a game."""
        ...

    def place(self, board: NDArray[np.int64]) -> Seen | None:
        """Goes on from a position, given as ranks; `None` if the environment cannot."""
        ...

    def step(self, action: int) -> Seen:
        """Makes a move."""
        ...


class GymnasiumAdapter:
    """An environment of Gymnasium's interface.

    `actions` are the environment's numbers of up, right, down and left. `ranks` turns an observation into ranks;
    without it ranks, tile values and one-hot are told apart by the observation space. `place` puts a position into the
    environment and returns the observation; without it `reset(options={"board": ...})` is tried.
    """

    def __init__(
        self,
        env: Any,
        *,
        actions: Sequence[int] = (0, 1, 2, 3),
        ranks: Callable[[Any], NDArray[Any]] | None = None,
        place: Callable[[Any, NDArray[np.int64]], Any] | None = None,
        mask_key: str = "action_mask",
    ) -> None:
        self.env = env
        self.actions = tuple(actions)
        self.mask_key = mask_key
        self._ranks = ranks or reader_of(env.observation_space)
        self._place = place

    def reset(self, seed: int) -> Seen:
        """Starts a game."""
        observation, info = self.env.reset(seed=seed)
        return self._seen(observation, info)

    def place(self, board: NDArray[np.int64]) -> Seen | None:
        """Goes on from a position, if the environment can."""
        try:
            if self._place is not None:
                return self._seen(self._place(self.env, board), {})
            observation, info = self.env.reset(options={"board": board.astype(np.uint8)})
        except (NotImplementedError, TypeError, ValueError, AttributeError):
            return None
        seen = self._seen(observation, info)
        return seen if (seen.board == board).all() else None

    def step(self, action: int) -> Seen:
        """Makes a move."""
        observation, reward, terminated, truncated, info = self.env.step(self.actions[action])
        return self._seen(observation, info, float(reward), bool(terminated))

    def _seen(self, observation: Any, info: dict[str, Any], reward: float = 0.0, over: bool = False) -> Seen:
        mask = info.get(self.mask_key)
        if mask is not None:
            mask = np.asarray(mask, dtype=bool)[list(self.actions)]
        board = np.array(self._ranks(observation), dtype=np.int64)
        return Seen(board, reward, over, mask)


def reader_of(space: Any) -> Callable[[Any], NDArray[Any]]:
    """Converter from observations of a space to ranks: one-hot has a third axis, values are larger than ranks.

    >>> from gymnasium.spaces import Box
    >>> reader_of(Box(0, 131072, (2, 2), np.int64))(np.array([[0, 2], [65536, 4]])).tolist()
    [[0, 1], [16, 2]]
    """
    space = space["board"] if hasattr(space, "keys") else space
    if len(space.shape) == 3:
        last = space.shape[0] == space.shape[1]
        return lambda seen: np.asarray(_board(seen)).argmax(axis=-1 if last else 0)
    if np.max(space.high) > 64:
        return lambda seen: np.vectorize(_rank, otypes=[np.int64])(_board(seen))
    return lambda seen: np.asarray(_board(seen))


def _board(observation: Any) -> Any:
    return observation["board"] if isinstance(observation, dict) else observation


def _rank(value: Any) -> int:
    """The rank of a tile; -1 for a number that is none."""
    number = int(value)
    if number == 0:
        return 0
    return number.bit_length() - 1 if number > 1 and number & (number - 1) == 0 else -1
