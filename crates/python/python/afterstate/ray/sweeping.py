"""Sweeps of recipes as tasks of a cluster."""

from __future__ import annotations

import os
from typing import Any

import ray

from afterstate.sweep import Variant, check, run_one


def sweep(
    variants: list[Variant],
    place: str | os.PathLike[str],
    *,
    games: int = 1000,
    threads: int = 1,
    retries: int = 5,
) -> list[dict[str, Any]]:
    """Runs every variant as a task and returns their results in order; see `afterstate.sweep`.

    `place` must be a directory that all machines share. A task whose worker dies is started again and goes on from its
    last checkpoint; a sweep that is started again does only what is not finished.
    """
    check(variants)
    if not ray.is_initialized():
        ray.init()
    remote = ray.remote(num_cpus=threads, max_retries=retries)(run_one)
    shared = os.path.abspath(place)
    os.makedirs(shared, exist_ok=True)
    found: list[dict[str, Any]] = ray.get([remote.remote(variant, shared, games, threads) for variant in variants])
    return found
