"""Checks an environment of Gymnasium from the command line."""

from __future__ import annotations

import argparse
import importlib
import sys

import gymnasium

from afterstate.conformance import GymnasiumAdapter, check


def main(arguments: list[str] | None = None) -> int:
    """Returns 0 if nothing is wrong, 1 if something is."""
    parser = argparse.ArgumentParser(prog="python -m afterstate.conformance", description=__doc__)
    parser.add_argument("env", help="the id of an environment, like afterstate/2048-v1")
    parser.add_argument("--import", dest="module", help="a module to import first, which registers the environment")
    parser.add_argument("--actions", default="0,1,2,3", help="its numbers of up, right, down and left [0,1,2,3]")
    parser.add_argument("--steps", type=int, default=5000, help="about how many steps to play [5000]")
    parser.add_argument("--no-rewards", action="store_true", help="its rewards are not the merged tiles")
    args = parser.parse_args(arguments)
    if args.module:
        importlib.import_module(args.module)
    env = gymnasium.make(args.env, disable_env_checker=True).unwrapped
    adapter = GymnasiumAdapter(env, actions=[int(number) for number in args.actions.split(",")])
    report = check(adapter, steps=args.steps, rewards=not args.no_rewards)
    sys.stdout.write(str(report))
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
