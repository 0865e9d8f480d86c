"""Networks, training and evaluation: what Python gets is what the command line gets."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import afterstate
import numpy as np
import pytest
from afterstate import Agent, Game, Network, Trainer, evaluate, merge, train

SMALL = """
game = "2048-2x3"
[network]
patterns = "0134 012"
alphabet = 11
[learning]
step = "coherence"
[run]
games = 2000
threads = 1
"""


@pytest.fixture(scope="module")
def network():
    return train(SMALL, seed=3)


def test_training_learns_and_repeats(network):
    result = evaluate(Agent(network), games=1000)
    assert 300 < result.mean < 480.3  # optimal 480.26, random 61
    again = train(SMALL, seed=3)
    assert (again.memory() == network.memory()).all()
    assert (train(SMALL, seed=4).memory() != network.memory()).any()


def test_a_trainer_in_memory_learns_the_same(network):
    trainer = Trainer(SMALL, seed=3)
    windows = [trainer.play(n) for n in (700, 1300)]
    assert [w.games for w in windows] == [700, 1300] and windows[1].mean > windows[0].mean
    assert windows[1].tiles[2] == 1.0 and trainer.games == 2000
    assert (trainer.network.memory() == network.memory()).all()


def test_training_goes_on_from_a_network(tmp_path):
    whole, first = Trainer(SMALL, seed=3), Trainer(SMALL, seed=3)
    whole.play(300)
    first.play(300)
    first.network.save(tmp_path / "half.afterstate", sums=True)
    loaded = Network.load(tmp_path / "half.afterstate")
    assert loaded.sums(0) is not None and (loaded.sums(0) == whole.network.sums(0)).all()
    second = Trainer(SMALL, seed=9, network=loaded)
    other = Trainer(SMALL, seed=9, network=whole.network)
    assert second.play(300).mean == other.play(300).mean
    assert (second.network.memory() == other.network.memory()).all()
    with pytest.raises(ValueError, match="other patterns"):
        Trainer("optimum-2x2", network=loaded)


def test_the_callback_hears_and_stops():
    heard = []

    def callback(progress):
        heard.append(progress)
        return progress.games < 1000

    network = train("td-4x6", games=1_000_000, threads=1, callback=callback)
    assert heard and heard[-1].games >= 1000 and heard[0].total == 1_000_000
    assert 1000 <= int(network.metadata["trained_games"]) < 1_000_000

    def fails(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        train("td-4x6", games=1_000_000, threads=1, callback=fails)


def test_the_lock_is_released():
    beats, stop = [], threading.Event()

    def beat():
        while not stop.is_set():
            beats.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    trainer = Trainer(SMALL)
    for work in (lambda: evaluate(Agent(player="random"), games=20_000, threads=1), lambda: trainer.play(5000)):
        began = time.monotonic()
        while time.monotonic() < began + 0.5:
            work()
        spent = time.monotonic() - began
        during = sum(began < beat < began + spent for beat in beats)
        assert during > 10 * spent, (during, spent)
    stop.set()
    thread.join()


@pytest.mark.parametrize("work", ["evaluate(Agent(player='random'), games=10**9)", "train('td-4x6', games=10**9)"])
def test_ctrl_c_stops_long_work(work):
    # Whoever starts the tests in the background of a script starts them with Ctrl-C ignored.
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from afterstate import *; "
    code += f"print('go', flush=True); {work}"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "go\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode != 0 and "KeyboardInterrupt" in said and "panicked" not in said


def test_run_directories_resume(tmp_path):
    run = tmp_path / "run"
    train(SMALL, games=500, run=run)
    assert {"config.toml", "train.jsonl", "model.afterstate"} <= set(os.listdir(run))
    more = train(games=1000, run=run, resume=True)
    assert more.metadata["trained_games"] == "1000"
    assert (more.memory() == train(SMALL, games=1000).memory()).all()
    with pytest.raises(OSError, match="run"):
        train(SMALL, run=run)
    with pytest.raises(ValueError, match="run="):
        train(resume=True)


def test_weights_in_index_order_and_in_memory(network):
    assert network.patterns == [[0, 1, 3, 4], [0, 1, 2]] and network.tables == 2
    table = network.weights(1)
    assert table.shape == (11**3,) and (network.memory()[network.entries(1)] == table).all()
    # A value is the sum of the weights of all images of the patterns.
    board = np.array([[1, 2, 0], [3, 1, 1]], dtype=np.uint8)
    by_rank = [network.weights(t).reshape((11,) * len(p), order="F") for t, p in enumerate(network.patterns)]
    total = 0.0
    for image in (board, board[::-1], board[:, ::-1], board[::-1, ::-1]):
        flat = image.ravel()
        total += sum(by_rank[t][tuple(flat[c] for c in p)] for t, p in enumerate(network.patterns))
    assert network.values(board[None])[0] == pytest.approx(total, rel=1e-5)


def test_arrays_are_copies(network):
    other = Network("2048-2x3", "012", alphabet=11)
    whole, table = other.memory(), other.weights(0)
    other.set_weights(0, table + 2)
    whole[0] = 1
    assert whole.sum() == 1 and (table == 0).all()
    assert (other.memory()[other.entries(0)] == 2).all()
    assert other.memory().shape == (other.places,)


def test_values_of_batches_are_those_of_one(network):
    game = Game("2048-2x3")
    afters = [s.afterstate for i in range(50) for s in game.start(seed=i).slides()]
    boards = np.stack([after.board for after in afters])
    values = network.values(boards)
    assert values.dtype == np.float32 and [network.values(b[None])[0] for b in boards] == values.tolist()
    agent = Agent(network, ply=1)
    state = game.start(seed=1)
    expected = [np.nan] * 4
    for slide in state.slides():
        expected[slide.direction] = slide.reward + network.values(slide.afterstate.board[None])[0]
    assert np.allclose(agent.values(state), expected, equal_nan=True)
    assert agent.act(state) == int(np.nanargmax(expected))


@pytest.mark.parametrize("name", ["m.afterstate", "m.safetensors"])
def test_files(network, tmp_path, name):
    path = tmp_path / name
    network.save(path, sums=True)
    again = Network.load(path)
    assert (again.memory() == network.memory()).all() and again.game == network.game
    turned = Network.load(path, game="2048-3x2")
    assert turned.game == Game("2048-3x2")
    assert turned.values(np.ones((1, 3, 2), dtype=np.uint8)) == network.values(np.ones((1, 2, 3), dtype=np.uint8))


def test_evaluations_report_what_the_command_does(network, tmp_path):
    path = tmp_path / "m.afterstate"
    network.save(path)
    for agent in (Agent(path), Agent(path, ply=2), Agent(player="random", game="threes")):
        whole = evaluate(agent, games=150, seed=5, threads=2)
        parts = [evaluate(agent, games=150, seed=5, threads=1, shard=(i, 4)) for i in (2, 4, 1, 3)]
        assert merge(parts).untimed() == whole.untimed() == evaluate(agent, games=150, seed=5, threads=1).untimed()
        assert whole.mean == pytest.approx(whole.scores.mean()) and whole.ci95[0] < whole.mean < whole.ci95[1]
    with pytest.raises(ValueError, match="missing: 2/4"):
        merge(parts[1:])
    parts[0].save(tmp_path / "part.json")
    assert json.loads((tmp_path / "part.json").read_text())["shard"]["part"] == {"index": 2, "of": 4}
    command = os.environ.get("AFTERSTATE_COMMAND")
    if command:
        args = [command, "evaluate", "--model", path, "--games", "150", "--seed", "5", "--json"]
        said = json.loads(subprocess.run(args, capture_output=True, check=True).stdout)
        mine = evaluate(Agent(path), games=150, seed=5).untimed()
        assert {key: said[key] for key in mine} == mine
        # Parts of the command and of Python are parts of one evaluation.
        part = subprocess.run([*args, "--shard", "1/2"], capture_output=True, check=True, text=True).stdout
        other = evaluate(Agent(path), games=150, seed=5, shard=(2, 2))
        assert merge([part, other]).untimed() == mine


def test_the_built_in_player_looks_three_moves_ahead():
    agent = Agent(game="2048-6x6")
    assert (agent.model, agent.player, agent.ply) == ("builtin:2048-6x6", "model", 2)
    small = Agent("builtin:2048-3x3")
    assert (small.game, small.ply) == (Game("2048-3x3"), 3)
    assert repr(small) == "<Agent builtin:2048-3x3, 3-ply, plays 2048-3x3-v1>"
    state = small.game.position("110/234/567")
    values = small.values(state)
    assert small.act(state) == int(np.nanargmax(values)) and np.nanmax(values) > 1000
    # Evaluations play at 1-ply unless a depth was chosen, as the command does.
    assert evaluate(small, games=3)["ply"] == 1 and evaluate(Agent("builtin:2048-3x3", ply=2), games=3)["ply"] == 2
    assert Agent(game="2048-2x4").player == "heuristic"  # no model of this board is built in


def test_a_model_that_learned_other_rules_warns():
    with pytest.warns(UserWarning, match="learned 2048-3x3 and plays 2048-3x3 .spawn 2:.5,4:.5"):
        agent = Agent(game=Game("2048-3x3", spawn="2:.5,4:.5"))
    result = evaluate(agent, games=3)
    assert result["variant"] == {"spawn": "2:.5,4:.5"} and "(spawn 2:.5,4:.5)" in str(result)


def test_run_directories_are_models(tmp_path):
    place = tmp_path / "run"
    network = train(SMALL, games=500, threads=1, run=place)
    agent = Agent(place)
    assert (agent.game, agent.ply, agent.model) == (network.game, 3, str(place))
    boards = np.zeros((1, *network.game.shape), dtype=np.uint8)
    assert Network.load(place).values(boards) == network.values(boards)
    with pytest.raises(OSError, match="is a directory without a model"):
        Agent(tmp_path)


def test_agents_follow_endgame_tables(tmp_path):
    command = os.environ.get("AFTERSTATE_COMMAND")
    if not command:
        pytest.skip("tables are made by the command")
    made = [command, "endgames", "2048-3x3", "--hold", "##./.../...", "--goal", "64", "--out", tmp_path]
    subprocess.run(made, check=True, capture_output=True)
    agent = Agent(game="2048-3x3", endgames=tmp_path)
    chances = agent.endgame_chances(agent.game.position("761/200/000"))
    assert chances is not None and ((chances[~np.isnan(chances)] >= 0) & (chances[~np.isnan(chances)] <= 1)).all()
    assert agent.endgame_chances(agent.game.position("100/200/000")) is None
    with pytest.raises(ValueError, match="no endgame tables"):
        Agent(game="2048", endgames=tmp_path)


def test_evaluations_print_as_a_table():
    result = evaluate(Agent(player="random", game="2048-3x3"), games=200)
    lines = str(result).splitlines()
    assert lines[0] == "2048-3x3-v1, random player, 200 games, seed 1"
    assert [line.split()[0] for line in lines[3:6]] == ["score", "moves", "largest"]
    assert f"{result.mean:,.1f}" in lines[3] and any(line.startswith("64 ") and "%" in line for line in lines)


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        (lambda: Network("2048", "9x9"), ValueError, "network.patterns"),
        (lambda: Network("chess", "4x6"), ValueError, "no game"),
        (lambda: Network.load("no/such/file"), OSError, "no/such/file"),
        (lambda: Network.load(__file__), ValueError, "no model"),
        (lambda: Network("2048-2x3", "012").weights(1), IndexError, "no table 1"),
        (lambda: Network("2048-2x3", "012").weights(0, stage=1), IndexError, "no set of weights"),
        (lambda: Network("2048-2x3", "012").set_weights(0, np.zeros(3, dtype=np.float32)), ValueError, "3 weights"),
        (lambda: Network("2048-2x3", "012").values(np.zeros((1, 4, 4), dtype=np.uint8)), ValueError, "2x3"),
        (lambda: Network("2048-2x3", "012").values(np.full((1, 2, 3), 99, dtype=np.uint8)), ValueError, "0 to 60"),
        (lambda: Network("2048-2x3", "012").save("no/such/directory/m"), OSError, "no/such/directory"),
        (lambda: Agent("builtin:2084"), ValueError, "builtin:2048, builtin:"),
        (lambda: Agent("no/such/file"), OSError, "no/such/file"),
        (lambda: Agent("builtin:2048", game="threes"), ValueError, "plays 2048"),
        (lambda: Agent(3), TypeError, "a model is a Network, a file, a run directory"),
        (lambda: Agent(game=3), TypeError, "a Game or the name of one"),
        (lambda: Agent(modle="x"), TypeError, "^Agent.__new__"),
        (lambda: evaluate(Network("2048-2x3", "012")), TypeError, "evaluate\\(Agent"),
        (lambda: Agent(player="magnus"), ValueError, "no player"),
        (lambda: Agent(player="greedy", ply=2), ValueError, "look ahead"),
        (lambda: Agent(player="heuristic", ply=99), ValueError, "99"),
        (lambda: Agent(Network("2048-2x3", "012"), game="2048"), ValueError, "Network.load"),
        (lambda: Trainer("no-such-recipe"), ValueError, "no built-in recipe"),
        (lambda: train("tc-4x6", sets={"learning.bet": 1}), ValueError, "did you mean"),
        (lambda: evaluate(Agent(player="random"), games=0), ValueError, "0 games"),
        (lambda: evaluate(Agent(player="random"), games=3, shard=(1, 4)), ValueError, "3 games"),
        (lambda: evaluate(Agent(player="random"), games=3, shard=(5, 4)), ValueError, "5/4"),
        (lambda: merge([]), ValueError, "no shards"),
        (lambda: merge(["{}"]), ValueError, "no shard"),
    ],
)
def test_mistakes(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong()


def test_recipes():
    names = dict(afterstate.recipes())
    assert "quick" in names and len(names["quick"]) > 20
    assert 'patterns = "4x6"' in afterstate.recipe("tc-4x6")


def test_exchanges_make_two_trainers_alike():
    trainers = [Trainer(SMALL, seed=seed) for seed in (1, 2)]
    for trainer in trainers:
        trainer.begin_exchange()
    for _ in range(5):
        for trainer in trainers:
            trainer.play(100)
        told = [trainer.differences() for trainer in trainers]
        joined = afterstate._native.join(told)
        assert set(told[0][0][0]) <= set(joined[0][0])
        for trainer in trainers:
            trainer.apply(joined)
        assert (trainers[0].network.memory() == trainers[1].network.memory()).all()
        assert len(trainers[0].differences()[0][0]) == 0
    with pytest.raises(ValueError, match="begin_exchange"):
        Trainer(SMALL).differences()
    with pytest.raises(ValueError, match="no rule"):
        afterstate._native.join(told, "best")
