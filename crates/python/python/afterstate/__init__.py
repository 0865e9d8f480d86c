"""2048, Threes! and their relatives: exact rules, fast environments, n-tuple networks, search.

>>> import afterstate
>>> state = afterstate.Game("2048").position("1210/3302/0043/5512")
>>> state.slide("left").reward
80

Games, positions and chance: `Game`, `State`, `Slide`, `Afterstate`, `Outcome`, `Random`, `games`.
Learning: `Network`, `Trainer`, `train`, `recipes`, `recipe`. Playing: `Agent`, `evaluate`, `merge`, `solve`.
Environments are registered with Gymnasium by the import: `gymnasium.make("afterstate/2048-v1")`, and
`gymnasium.make_vec("afterstate/2048-v1", num_envs=1024)` for the native vector environment.
More than one machine: `afterstate.ray`. Testing other environments: `afterstate.conformance`.
"""

from afterstate._native import (
    Afterstate,
    Batch,
    Game,
    Network,
    Outcome,
    Random,
    Slide,
    Solution,
    State,
    Trainer,
    Window,
    __version__,
    games,
    recipe,
    recipes,
    solve,
)
from afterstate.agent import Agent
from afterstate.evaluation import Evaluation, evaluate, merge
from afterstate.registration import register as _register
from afterstate.training import Progress, train

_register()

ACTIONS = ("up", "right", "down", "left")
"""The names of the moves 0, 1, 2 and 3."""

__all__ = [
    "ACTIONS",
    "Afterstate",
    "Agent",
    "Batch",
    "Evaluation",
    "Game",
    "Network",
    "Outcome",
    "Progress",
    "Random",
    "Slide",
    "Solution",
    "State",
    "Trainer",
    "Window",
    "__version__",
    "evaluate",
    "games",
    "merge",
    "recipe",
    "recipes",
    "solve",
    "train",
]
