"""A real Ray instance: several worker processes, one of them killed in the middle."""

import os
import signal
import threading
import time

import afterstate
import pytest
from afterstate import Agent, evaluate
from afterstate.sweep import Variant, grid, part_of, run_one
from afterstate.sweep import sweep as sweep_here

ray = pytest.importorskip("ray")

import afterstate.ray  # noqa: E402

SMALL = """
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 10
[learning]
target = "backward"
step = "coherence"
[run]
games = 4000
threads = 1
"""


@pytest.fixture(scope="module")
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, object_store_memory=200_000_000)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.afterstate"
    afterstate.train(SMALL, games=500).save(path)
    return path


def workers():
    """The processes that play parts of an evaluation now."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if file.read().startswith(b"ray::_play"):
                    found.append(int(name))
        except OSError:
            continue
    return found


def test_a_thousand_games_with_a_worker_killed(cluster, model):
    killed, seen, done = [], set(), threading.Event()

    def kill_one():
        while not done.is_set():
            playing = workers()
            seen.update(playing)
            if not killed and len(seen) >= 2 and playing:
                os.kill(playing[0], signal.SIGKILL)
                killed.append(playing[0])
            time.sleep(0.002)

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        spread = afterstate.ray.evaluate(model, games=1000, seed=11, ply=2, shards=12)
    finally:
        done.set()
        killer.join()
    assert killed and len(seen) >= 3, "no worker was killed, or there were not several"
    here = evaluate(Agent(model, ply=2), games=1000, seed=11)
    assert spread.untimed() == here.untimed()


def test_players_without_a_model_and_mistakes(cluster):
    spread = afterstate.ray.evaluate(player="random", game="threes", games=50, seed=3)
    assert spread.untimed() == evaluate(Agent(player="random", game="threes"), games=50, seed=3).untimed()
    with pytest.raises(ValueError, match="no player"):
        afterstate.ray.evaluate(player="magnus")
    with pytest.raises(OSError):
        afterstate.ray.evaluate("no/such/model")


def test_sweeps_resume(cluster, tmp_path):
    variants = grid(SMALL, run__games=[200, 400], run__seed=[1, 2])
    # One is half done by a process that was stopped, one is finished.
    afterstate.train(SMALL, sets={"run.games": 100, "run.seed": 1}, run=tmp_path / variants[2].name)
    first = run_one(variants[0], tmp_path, games=50, threads=1)
    before = os.stat(tmp_path / variants[0].name / "evaluated.json").st_mtime_ns
    results = afterstate.ray.sweep(variants, tmp_path, games=50)
    assert [result["name"] for result in results] == [variant.name for variant in variants]
    assert results[0] == first and os.stat(tmp_path / variants[0].name / "evaluated.json").st_mtime_ns == before
    assert afterstate.ray.sweep(variants, tmp_path, games=50) == results
    untimed = lambda result: result["evaluation"]["score"]
    alone = sweep_here(variants, tmp_path / "alone", games=50, threads=1)
    assert [untimed(a) for a in alone] == [untimed(b) for b in results]


def test_parts_of_sweeps():
    variants = grid(SMALL, run__seed=range(7))
    parts = [part_of(variants, (i, 3)) for i in (1, 2, 3)]
    assert sorted(v.name for part in parts for v in part) == sorted(v.name for v in variants)
    with pytest.raises(ValueError, match="0/3"):
        part_of(variants, (0, 3))
    with pytest.raises(ValueError, match="same name"):
        sweep_here([Variant("a", SMALL, {})] * 2, "nowhere")
    with pytest.raises(ValueError, match="did you mean"):
        sweep_here(grid(SMALL, learning__bet=[1]), "nowhere")


def test_two_workers_teach_one_network_as_well_as_one(cluster):
    games = 4000
    one = afterstate.train(SMALL, games=games)
    rounds = []
    two = afterstate.ray.train(SMALL, workers=2, games=games, every=200, callback=rounds.append)
    assert rounds[-1].games == games and two.metadata["trained_games"] == str(games)
    alone, together = (evaluate(Agent(network), games=2000).mean for network in (one, two))
    assert together >= 0.95 * alone, (alone, together)
    # Two runs of half the games would not have done it.
    half = evaluate(Agent(afterstate.train(SMALL, games=games // 2)), games=2000).mean
    assert together > half, (half, together)


def test_a_lost_trainer_is_replaced(cluster):
    rounds = []

    def callback(news):
        rounds.append(news)
        if len(rounds) == 2:
            for name in os.listdir("/proc"):
                try:
                    with open(f"/proc/{name}/cmdline", "rb") as file:
                        if file.read().startswith(b"ray::_Worker"):
                            os.kill(int(name), signal.SIGKILL)
                            return
                except OSError:
                    continue

    network = afterstate.ray.train(SMALL, workers=2, games=1200, every=200, callback=callback)
    assert {news.workers for news in rounds} == {1, 2} and rounds[-1].games == 1200
    assert network.metadata["trained_games"] == "1200" and network.sums(0).any()
