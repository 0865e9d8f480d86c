"""The native vector environment: the same games as the single one, many at a time."""

import gymnasium
import numpy as np
import pytest
from afterstate import Game, Random
from afterstate.registration import FAMILIES
from afterstate.vector import VectorEnv
from gymnasium.vector import AutoresetMode


def test_make_vec_gives_the_native_one():
    env = gymnasium.make_vec("afterstate/2048-v1", num_envs=5, size="3x3")
    assert isinstance(env.unwrapped, VectorEnv) and env.unwrapped.game == Game("2048-3x3")
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space and infos["action_mask"].shape == (5, 4)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("one_hot", [False, True])
def test_observations_are_in_their_spaces_and_fresh(family, one_hot):
    env = VectorEnv(family, 16, one_hot=one_hot)
    before, infos = env.reset(seed=3)
    assert before in env.observation_space
    for _ in range(300):
        actions = np.array([np.flatnonzero(m)[0] if m.any() else 0 for m in infos["action_mask"]])
        after, rewards, over, truncated, infos = env.step(actions)
        assert after in env.observation_space and rewards.dtype == np.float64 and not truncated.any()
        assert (over == ~infos["action_mask"].any(1)).all() and infos["is_legal"].all()
        boards = [seen["board"] if isinstance(seen, dict) else seen for seen in (before, after)]
        assert not np.shares_memory(*boards)
        before = after


@pytest.mark.parametrize("name", ["2048", "2048-3x4", "2048-5x5", "1024", "threes", "threes-app"])
def test_every_board_goes_as_the_rules_say(name):
    """Plays the same games slide by slide, with the same chance."""
    game, count = Game(name), 8
    env = VectorEnv(name, count, autoreset_mode="disabled")
    observations, infos = env.reset(seed=100)
    randoms = [Random(100 + i) for i in range(count)]
    states = [game.start(random=random) for random in randoms]
    choose = np.random.default_rng(1)
    for _ in range(200):
        boards = observations["board"] if game.has_hint else observations
        for i, state in enumerate(states):
            assert (boards[i] == state.board).all() and (infos["action_mask"][i] == state.mask).all()
        actions = choose.integers(0, 4, count)
        observations, rewards, over, _, infos = env.step(actions)
        for i, state in enumerate(states):
            slide = state.slide(int(actions[i]))
            assert infos["is_legal"][i] == (slide is not None)
            if slide is None:
                assert rewards[i] == 0
                continue
            outcome = slide.afterstate.sample(random=randoms[i])
            states[i] = outcome.state
            assert rewards[i] == slide.reward + outcome.reward and over[i] == outcome.state.is_over


def test_next_step_reset():
    env = VectorEnv("2048-2x2", 32)
    env.reset(seed=1)
    was_over, dealt = np.zeros(32, dtype=bool), 0
    for _ in range(200):
        boards, rewards, over, _, infos = env.step(None)
        assert (rewards[was_over] == 0).all() and not over[was_over].any()
        assert ((boards[was_over] > 0).sum((1, 2)) == 2).all()
        dealt += was_over.sum()
        was_over = over
    assert dealt > 100


def test_same_step_reset():
    env = VectorEnv("threes-2x2", 32, autoreset_mode=AutoresetMode.SAME_STEP, start_tiles=2)
    env.reset(seed=1)
    ended = 0
    for _ in range(100):
        seen, _, over, _, infos = env.step(None)
        assert infos["action_mask"].any(1).all()
        if over.any():
            assert (infos["_final_obs"] == over).all() and (infos["final_info"]["moves"][over] > 0).all()
            for last in infos["final_obs"][over]:
                state = env.game.position(ranks=last["board"], hint=int(last["hint"]), bag=tuple(last["bag"]))
                assert state.is_over
            ended += over.sum()
    assert ended > 100 and "final_obs" not in VectorEnv("2048", 2).step(None)[4]


def test_disabled_reset_deals_by_mask():
    env = VectorEnv("2048-2x2", 8, autoreset_mode="disabled")
    env.reset(seed=1)
    for _ in range(100):
        boards, _, over, _, _ = env.step(None)
    assert over.all()
    chosen = np.array([True] * 3 + [False] * 5)
    after, infos = env.reset(options={"reset_mask": chosen})
    assert (after[3:] == boards[3:]).all() and infos["action_mask"].any(1).tolist() == chosen.tolist()


def test_seeds_and_boards():
    env = VectorEnv("2048", 4)
    first, _ = env.reset(seed=5)
    single = VectorEnv("2048", 1)
    for i in range(4):
        assert (single.reset(seed=[5 + i])[0][0] == first[i]).all()
    again, _ = env.reset(seed=[5, 6, 7, 8])
    assert (first == again).all() and (env.reset()[0] != again).any()
    boards, _ = env.reset(options={"board": "1210/3302/0043/5512"})
    assert (boards == boards[0]).all()
    for wrong, message in [({"seed": [1]}, "4 games"), ({"options": {"bord": 1}}, "bord")]:
        with pytest.raises(ValueError, match=message):
            env.reset(**wrong)
    with pytest.raises(ValueError, match="3 actions"):
        env.step(np.zeros(3))
    with pytest.raises(ValueError, match="autoreset_mode"):
        VectorEnv("2048", 1, autoreset_mode="never")


def test_rendering():
    assert len(VectorEnv("threes", 3, render_mode="ansi").render()) == 3
    assert VectorEnv("2048", 3, render_mode="rgb_array").render()[0].shape[2] == 3


@pytest.mark.parametrize("name", ["2048", "2048-5x5", "threes", "threes-app"])
def test_afterstates_and_outcomes_are_those_of_single_games(name):
    env = VectorEnv(name, num_envs=5)
    env.reset(seed=3)
    for _ in range(30):
        env.step(None)
    boards, hints, bags, masks = env.batch.observe()
    found = env.afterstates()
    assert (found.legal == masks).all()
    actions = found.legal.argmax(axis=1)
    chance = env.outcomes(actions)
    for game in range(5):
        extra = {"hint": int(hints[game]), "bag": tuple(int(n) for n in bags[game])} if env.game.has_hint else {}
        state = env.game.position(ranks=boards[game], **extra)
        for action in range(4):
            slide = state.slide(action)
            assert (slide is not None) == found.legal[game, action]
            if slide:
                assert (found.boards[game, action] == slide.afterstate.board).all()
                assert found.rewards[game, action] == slide.reward
        mine = chance.games == game
        slide = state.slide(int(actions[game]))
        outcomes = slide.afterstate.outcomes() if slide else []
        assert mine.sum() == len(outcomes)
        assert chance.probabilities[mine].tolist() == [o.probability for o in outcomes]
        assert chance.rewards[mine].tolist() == [slide.reward + o.reward for o in outcomes]
        shown = chance.observations["board"] if env.game.has_hint else chance.observations
        assert all((board == o.state.board).all() for board, o in zip(shown[mine], outcomes, strict=True))
    assert env.outcomes([9] * 5).games.size == 0
    with pytest.raises(ValueError, match="3 actions were given for 5 games"):
        env.outcomes([0, 1, 2])
