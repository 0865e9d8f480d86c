"""Does an environment play 2048 by the rules? A checker anyone can use, and golden trajectories.

Several published environments have shipped bugs that learning hides: a legal move that adds no tile, a mask of legal
moves computed before the new tile is there, tiles beyond 32768 that wrap around, tiles that merge twice in a move.
`check` plays an environment and compares every step with exact rules; `golden` holds whole games with every slide
and every new tile written down, for those who test a function instead of an environment.

    python -m afterstate.conformance afterstate/2048-v1

>>> import gymnasium
>>> from afterstate.conformance import GymnasiumAdapter, check
>>> report = check(GymnasiumAdapter(gymnasium.make("afterstate/2048-v1")), steps=300)
>>> report.findings
[]
"""

from afterstate.conformance.adapters import Adapter, GymnasiumAdapter, Seen
from afterstate.conformance.checker import Finding, Report, check
from afterstate.conformance.golden import Step, Trajectory, check_slides, golden

__all__ = [
    "Adapter",
    "Finding",
    "GymnasiumAdapter",
    "Report",
    "Seen",
    "Step",
    "Trajectory",
    "check",
    "check_slides",
    "golden",
]
