"""Tells Gymnasium about the environments; `import afterstate` does it."""

from __future__ import annotations

FAMILIES = ("2048", "1024", "threes", "threes-app", "threes-course")
"""The games with an environment of their own, `afterstate/NAME-v1`."""


def register() -> None:
    """Registers `afterstate/2048-v1` and the others, unless they are."""
    from gymnasium.envs.registration import register as add
    from gymnasium.envs.registration import registry

    for family in FAMILIES:
        name = f"afterstate/{family}-v1"
        if name not in registry:
            add(
                id=name,
                entry_point="afterstate.envs:GameEnv",
                vector_entry_point="afterstate.vector:VectorEnv",
                kwargs={"game": family},
            )
