"""A real Ray instance: several worker processes, one of them killed in the middle."""

import importlib.util
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


def processes(name):
    """The processes of workers of this kind now."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                if file.read().startswith(f"ray::{name}".encode()):
                    found.append(int(entry))
        except OSError:
            continue
    return found


def test_a_thousand_games_with_a_worker_killed(cluster, model):
    killed, seen, done = [], set(), threading.Event()

    def kill_one():
        while not done.is_set():
            playing = processes("_play")
            seen.update(playing)
            if not killed and len(seen) >= 2 and playing:
                os.kill(playing[0], signal.SIGKILL)
                killed.append(playing[0])
            time.sleep(0.002)

    killer = threading.Thread(target=kill_one)
    killer.start()
    try:
        spread = afterstate.ray.evaluate(model, games=1000, seed=11, ply=2, shards=12, threads=1)
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


def same(one, other):
    """Whether two networks are the same to the bit, with their sums."""
    return all(
        (one.weights(table) == other.weights(table)).all() and (one.sums(table) == other.sums(table)).all()
        for table in range(len(one.patterns))
    )


@pytest.fixture(scope="module")
def undisturbed(cluster):
    return afterstate.ray.train(SMALL, workers=2, games=1000, every=200)


def test_whatever_dies_the_network_is_the_same(cluster, undisturbed):
    rounds = []

    def callback(news):
        rounds.append(news)
        if len(rounds) == 2:
            # The youngest: older ones may be left over from another training.
            os.kill(max(processes("Worker")), signal.SIGKILL)

    network = afterstate.ray.train(SMALL, workers=2, games=1000, every=200, callback=callback)
    assert [news.games for news in rounds] == [200, 400, 600, 800, 1000]
    assert sum(news.replayed for news in rounds) >= 1
    assert network.metadata["trained_games"] == "1000" and network.sums(0).any()
    assert same(network, undisturbed)


def test_a_run_that_was_stopped_or_lost_all_goes_on_and_ends_the_same(cluster, undisturbed, tmp_path):
    run, rounds = tmp_path / "run", []

    def stop(news):
        return news.games < 400

    def kill(news):
        rounds.append(news)
        if len(rounds) == 1:
            for process in processes("Worker"):
                os.kill(process, signal.SIGKILL)

    afterstate.ray.train(SMALL, workers=2, games=1000, every=200, run=run, callback=stop)
    # What a driver that was killed leaves behind: a checkpoint, and no model.
    os.unlink(run / "model.afterstate")
    assert (run / "checkpoints" / "00000002.afterstate").exists()
    with pytest.raises(ValueError, match="resume=True"):
        afterstate.ray.train(SMALL, workers=2, games=1000, every=200, run=run)
    with pytest.raises(ValueError, match="another every"):
        afterstate.ray.train(SMALL, workers=2, games=1000, every=100, run=run, resume=True)
    arguments = {"workers": 2, "games": 1000, "every": 200, "run": run, "resume": True}
    network = afterstate.ray.train(SMALL, **arguments, callback=kill)
    assert same(network, undisturbed)
    # Round 3 was played before the kill, lost with all workers, and played again.
    assert [news.games for news in rounds] == [600, 600, 800, 1000]
    assert len((run / "rounds.jsonl").read_text().splitlines()) == 5
    # Nothing is left to do.
    again = afterstate.ray.train(SMALL, **arguments, callback=lambda _: pytest.fail("a round was played"))
    assert same(again, undisturbed)


def test_places_keep_files_whole_in_directories_and_behind_uris(tmp_path):
    from afterstate.ray.place import Place

    places = [Place(tmp_path / "plain")]
    if importlib.util.find_spec("pyarrow"):
        places.append(Place((tmp_path / "uri").as_uri()))
    network = afterstate.train("optimum-2x2", games=10, threads=1)
    for place in places:
        assert place.read("a/file") is None and place.list("a") == []
        place.write("a/file", b"one")
        place.write("a/file", b"two")
        assert place.read("a/file") == b"two" and place.list("a") == ["file"]
        place.remove("a/file")
        place.remove("a/file")
        assert place.list("a") == []
        place.save("model", network, {"trained_games": "10"})
        assert (place.load("model").weights(0) == network.weights(0)).all()


def test_networks_that_share_nothing_are_joined(cluster, tmp_path):
    recipes = [SMALL.replace("alphabet = 10", f"alphabet = {9 + walls}\nwalls = {walls}") for walls in (0, 1)]
    network = afterstate.ray.train_apart(recipes, tmp_path / "apart", sets={"run.games": 200})
    models = [tmp_path / "apart" / number / "model.afterstate" for number in "12"]
    assert network.metadata["trained_games"] == "400"
    alone = [afterstate.train(recipe, games=200, run=tmp_path / str(i)) for i, recipe in enumerate(recipes)]
    assert (alone[1].weights(0) == afterstate.Network.load(models[1]).weights(0)).all()
    before = (tmp_path / "apart" / "model.afterstate").read_bytes()
    afterstate.ray.train_apart(recipes, tmp_path / "apart", sets={"run.games": 200})
    assert (tmp_path / "apart" / "model.afterstate").read_bytes() == before
    with pytest.raises(ValueError, match="another game"):
        afterstate.ray.train_apart([recipes[0], recipes[0].replace("2048", "1024")], tmp_path / "other", sets={"run.games": 20})
