"""The environments keep Gymnasium's rules and the game's."""

import warnings

import gymnasium
import numpy as np
import pytest
from afterstate import Agent, Game
from afterstate.envs import GameEnv
from afterstate.registration import FAMILIES
from gymnasium.utils.env_checker import check_env

CONFIGURATIONS = [(family, {}) for family in FAMILIES]
CONFIGURATIONS += [("2048", {"size": size}) for size in ["2x2", "3x3", "3x4", "5x5", "6x6", "8x8", "1x4"]]
CONFIGURATIONS += [("1024", {"size": (3, 3)}), ("threes", {"size": "3x3"}), ("2048", {"spawn": "2:.5,4:.5"})]
CONFIGURATIONS += [(family, {"one_hot": True}) for family in ("2048", "threes")]


@pytest.mark.parametrize("family, kwargs", CONFIGURATIONS, ids=str)
def test_check_env(family, kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"afterstate/{family}-v1", **kwargs)
        check_env(env.unwrapped)
        for mode in GameEnv.metadata["render_modes"]:
            check_env(gymnasium.make(f"afterstate/{family}-v1", render_mode=mode, **kwargs).unwrapped)


def test_gymnasium_imports_the_package_by_name():
    import subprocess
    import sys

    code = "import gymnasium; env = gymnasium.make('afterstate:afterstate/threes-v1'); print(env.reset(seed=1)[0]['board'].shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(4, 4)"


def play(env, seed, choose):
    observation, info = env.reset(seed=seed)
    total, trace, done = 0.0, [], False
    while not done:
        action = choose(info)
        observation, reward, done, truncated, info = env.step(action)
        board = observation["board"] if isinstance(observation, dict) else observation
        trace.append((action, reward, board.tobytes()))
        total += reward
        assert not truncated and isinstance(reward, float) and isinstance(done, bool)
        assert done == (not info["action_mask"].any()) and info["action_mask"].dtype == np.int8
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
    return total, trace, info


@pytest.mark.parametrize("family", FAMILIES)
def test_whole_games_repeat_by_their_seed_and_scores_add_up(family):
    env = gymnasium.make(f"afterstate/{family}-v1")
    first = lambda info: int(np.flatnonzero(info["action_mask"])[0])
    start = env.reset(seed=7)[1]["score"]
    a, b = play(env, 7, first), play(env, 7, first)
    assert a[1] == b[1] != play(env, 8, first)[1]
    assert a[2]["score"] == start + a[0]


def test_illegal_moves_change_nothing():
    env = GameEnv("2048")
    observation, info = env.reset(seed=1, options={"board": "1000/0000/0000/0000"})
    assert info["action_mask"].tolist() == [0, 1, 1, 0]
    for _ in range(3):
        after, reward, terminated, truncated, info = env.step(0)
        assert (after == observation).all() and after is not observation
        assert (reward, terminated, truncated, info["is_legal"]) == (0.0, False, False, False)
    # And they draw no chance: the game goes on as it would have.
    other = GameEnv("2048")
    other.reset(seed=1, options={"board": "1000/0000/0000/0000"})
    assert (env.step(1)[0] == other.step(1)[0]).all()


def test_starting_anywhere():
    env = GameEnv("2048")
    observation, info = env.reset(seed=1, options={"board": "gg00/0000/0000/0000"})
    _, reward, _, _, info = env.step(3)
    assert reward == 131072.0 and info["largest"] == 131072
    assert (env.reset(options={"board": np.eye(4, dtype=np.uint8)})[0] == np.eye(4)).all()
    observation, info = env.reset(options={"board": "1212/2121/1212/2121"})
    assert not info["action_mask"].any()
    threes = GameEnv("threes")
    seen, _ = threes.reset(options={"board": np.eye(4), "hint": 3, "bag": (1, 2, 3)})
    assert seen["hint"] == 3 and seen["bag"].tolist() == [1, 2, 3]
    for options, message in [({"bord": 1}, "bord"), ({"board": "1"}, "4x4"), ({"board": np.zeros((2, 2))}, "shape")]:
        with pytest.raises(ValueError, match=message):
            env.reset(options=options)
    with pytest.raises(gymnasium.error.ResetNeeded):
        GameEnv("2048").step(0)


def test_pictures_and_texts():
    env = GameEnv("2048", render_mode="rgb_array")
    env.reset(options={"board": "12ab/ch00/0000/0000"})
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.shape == (286, 286, 3) and len(np.unique(picture.reshape(-1, 3), axis=0)) > 6
    env = GameEnv("threes", render_mode="ansi")
    env.reset(options={"board": "1234/0000/0000/0000 bag=1,2,3 hint=2"})
    text = env.render()
    assert "next 2, in the bag 1 × 1, 2 × 2, 3 × 3" in text and "|    6 |" in text


def test_human_mode_prints(capsys):
    env = GameEnv("2048-2x2", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert "score 0" in capsys.readouterr().out


def test_one_hot_shows_the_same():
    env = GameEnv("2048", one_hot=True)
    observation, _ = env.reset(options={"board": "0123/4567/89ab/cdeh"})
    assert observation.shape == (4, 4, 18) and (observation.sum(-1) == 1).all()
    assert (observation.argmax(-1).ravel()[:15] == np.arange(15)).all() and observation[3, 3].argmax() == 17


@pytest.mark.parametrize("family", FAMILIES)
def test_agents_predict_what_they_would_play(family):
    env = gymnasium.make(f"afterstate/{family}-v1")
    agent = Agent(player="heuristic", game=family, ply=1)
    seen, info = env.reset(seed=3)
    for _ in range(60):
        action, state = agent.predict(seen, deterministic=True)
        assert state is None and action.dtype == np.int64 and info["action_mask"][action]
        if family != "threes-course":
            assert action == agent.act(env.unwrapped.state)
        seen, _, done, _, info = env.step(action)
        if done:
            seen, info = env.reset()


def test_predict_takes_batches_and_one_hot():
    agent = Agent(player="greedy")
    game = Game("2048")
    boards = np.stack([game.start(seed=i).board for i in range(20)])
    actions, _ = agent.predict(boards)
    assert actions.shape == (20,) and [agent.predict(b)[0] for b in boards] == actions.tolist()
    assert (agent.predict(np.eye(18, dtype=np.uint8)[boards])[0] == actions).all()
    values = agent.values_batch(boards)
    assert values.shape == (20, 4)
    assert (np.isnan(values) == np.stack([game.position(ranks=b).mask == 0 for b in boards])).all()
    with pytest.raises(ValueError, match="shape"):
        agent.predict(np.zeros((3, 3), dtype=np.uint8))
