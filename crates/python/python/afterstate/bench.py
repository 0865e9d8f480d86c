"""Speed of the environments, beside another package's.

    python -m afterstate.bench                  boards per second
    python -m afterstate.bench --against gymnasium_2048

All figures are of one core. Each is the best of several rounds: other processes make a round slower, never faster.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

from afterstate._native import Batch
from afterstate.vector import VectorEnv


def best(rounds: int, work: Callable[[], int]) -> float:
    """The most steps per second of processor time of several rounds."""
    found = 0.0
    for _ in range(rounds):
        began = time.process_time()
        steps = work()
        found = max(found, steps / (time.process_time() - began))
    return found


def rollout(game: str, count: int, rounds: int) -> float:
    """Random legal moves drawn in Rust, nothing shown."""
    batch = Batch(game, count, seed=1)
    return best(rounds, lambda: batch.rollout(4_000_000 // count)[0])


def native(game: str, count: int, rounds: int) -> float:
    """Random legal moves drawn in Rust, every observation, reward and mask handed to Python."""
    env = VectorEnv(game, count)
    env.reset(seed=1)

    def work() -> int:
        steps = 2_000_000 // count
        # A game that is over is dealt anew in the next step: that is no move.
        return sum(count - int(env.step(None)[2].sum()) for _ in range(steps))

    return best(rounds, work)


def python(game: str, count: int, rounds: int) -> float:
    """Actions given by Python, as a learner would: a legal one for every board; choosing them is not counted."""
    env = VectorEnv(game, count)
    _, infos = env.reset(seed=1)
    choose = np.random.default_rng(1)
    found = 0.0
    for _ in range(rounds):
        moves, spent = 0, 0.0
        for _ in range(500_000 // count):
            actions = (infos["action_mask"] * choose.random((count, 4))).argmax(axis=1)
            began = time.process_time()
            _, _, over, _, infos = env.step(actions)
            spent += time.process_time() - began
            moves += count - int(over.sum())
        found = max(found, moves / spent)
    return found


def other(name: str, rounds: int) -> float:
    """Steps per second of another package's environment, one at a time: it has no other way."""
    __import__(name)
    ids = [found for found in gymnasium.registry if found.lower().startswith(name) or name in found]
    env: Any = gymnasium.make(ids[0], disable_env_checker=True).unwrapped
    choose = np.random.default_rng(1)
    env.reset(seed=1)
    actions = choose.integers(0, 4, 3000)

    def work() -> int:
        for action in actions:
            if env.step(action)[2]:
                env.reset()
        return len(actions)

    return best(rounds, work)


def main(arguments: list[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m afterstate.bench", description=__doc__)
    parser.add_argument("--game", default="2048")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--against", metavar="MODULE", help="another package's environment, like gymnasium_2048")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(arguments)
    figures = {
        "rollout": rollout(args.game, args.batch, args.rounds),
        "step_random": native(args.game, args.batch, args.rounds),
        "step_actions": python(args.game, args.batch, args.rounds),
    }
    if args.against:
        figures["other"] = other(args.against, args.rounds)
        figures["ratio"] = figures["step_actions"] / figures["other"]
    if args.json:
        sys.stdout.write(json.dumps({"game": args.game, "batch": args.batch, **figures}) + "\n")
        return 0
    lines = [
        f"{args.game}, {args.batch} boards, one core, best of {args.rounds} rounds, boards per second",
        f"  random legal moves drawn in Rust, nothing shown    {figures['rollout'] / 1e6:8.2f} million",
        f"  the same, all observations handed to Python        {figures['step_random'] / 1e6:8.2f} million",
        f"  actions given by Python                            {figures['step_actions'] / 1e6:8.2f} million",
    ]
    if args.against:
        lines.append(f"  {args.against:<50} {figures['other'] / 1e6:8.4f} million")
        lines.append(f"  ratio                                              {figures['ratio']:8.0f}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
