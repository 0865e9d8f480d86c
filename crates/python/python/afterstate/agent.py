"""Agents: the interface that Stable-Baselines3's tools expect of a model, and more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from afterstate import _native

Observation = NDArray[Any] | Mapping[str, Any]


class Agent(_native.Agent):
    """An agent: the built-in model of the game, another model, or a player by name.

    `Agent()` is the built-in player of 2048, `Agent(game="threes")` that of Threes. `model` is a `Network`, a file, a run
    directory, or a name like "builtin:2048"; `player` is "random", "greedy", "corner", "heuristic" or "mayer-hirshfeld".
    Models look three moves ahead (two on boards of more than 20 cells, one on more than 36) unless `ply` says otherwise,
    and follow the endgame tables in the directory `endgames` where these know better.

    `act(state)` and `values(state)` take a `State`; `predict(observation)` takes what the environments show, alone or
    in batches, so that an agent can stand wherever a model of Stable-Baselines3 is expected.

    >>> import gymnasium
    >>> env = gymnasium.make("afterstate/2048-v1")
    >>> observation, info = env.reset(seed=1)
    >>> agent = Agent(player="heuristic")
    >>> action, _ = agent.predict(observation)
    >>> bool(info["action_mask"][action])
    True
    """

    def predict(
        self,
        observation: Observation,
        state: tuple[NDArray[Any], ...] | None = None,
        episode_start: NDArray[Any] | None = None,
        deterministic: bool = False,
        action_masks: NDArray[Any] | None = None,
    ) -> tuple[NDArray[np.int64], tuple[NDArray[Any], ...] | None]:
        """The actions for observations, and `state` as it came; the other arguments change nothing.

        An action is always legal; where a game is over it is 0. One-hot observations are understood too.
        """
        board = observation["board"] if isinstance(observation, Mapping) else observation
        board = self._ranks(np.asarray(board))
        single = board.ndim == 2
        boards = np.ascontiguousarray(board[None] if single else board, dtype=np.uint8)
        hint = bag = None
        if isinstance(observation, Mapping):
            hint = np.asarray(observation["hint"], dtype=np.uint8).reshape(len(boards))
            bag = np.ascontiguousarray(observation["bag"], dtype=np.uint8).reshape(len(boards), 3)
        elif self.game.has_hint:
            raise ValueError("an observation of Threes is a dictionary of board, hint and bag")
        actions = np.maximum(self.act_batch(boards, hint=hint, bag=bag), 0)
        return (actions[0] if single else actions), state

    def _ranks(self, board: NDArray[Any]) -> NDArray[Any]:
        """Ranks of shape (rows, columns) or (n, rows, columns), from ranks or from one-hot."""
        rows, cols = self.game.shape
        if board.shape[-2:] == (rows, cols) and board.ndim in (2, 3):
            return board
        if board.ndim in (3, 4) and board.shape[-3:-1] == (rows, cols):
            return np.asarray(board.argmax(axis=-1))
        raise ValueError(f"observations of {rows}x{cols} boards are needed, not of shape {board.shape}")
