"""The checker passes what is right and finds what is wrong, each bug by its name."""

import gymnasium
import numpy as np
import pytest
from afterstate import Game
from afterstate.conformance import GymnasiumAdapter, check, check_slides, golden
from afterstate.conformance.golden import all_records
from afterstate.envs import GameEnv


def report(env, **kwargs):
    return check(GymnasiumAdapter(env), **{"steps": 1500, **kwargs})


@pytest.mark.parametrize("size", ["4x4", "3x3", "2x4", "5x5"])
def test_our_environment_passes(size):
    found = report(GameEnv("2048", size=size))
    assert found.ok, str(found)
    assert found.steps >= 1500 and found.placed == (size == "4x4")
    assert "nothing wrong" in str(found)


class Broken(GameEnv):
    """An environment with room for one bug."""

    def put(self, board):
        self.state = self.game.position(ranks=np.asarray(board))


class NoSpawnWithoutMerge(Broken):
    def step(self, action):
        slide = self.state.slide(int(action))
        answer = super().step(action)
        if slide is not None and slide.reward == 0:
            self.put(slide.afterstate.board)
            return self._observation(self.state), 0.0, self.state.is_over, False, self._info(self.state, True)
        return answer


class MaskBeforeTheSpawn(Broken):
    def step(self, action):
        slide = self.state.slide(int(action))
        *answer, info = super().step(action)
        if slide is not None:
            info["action_mask"] = self.game.position(ranks=slide.afterstate.board).mask
        return *answer, info


class FourBits(Broken):
    def step(self, action):
        seen, *rest = super().step(action)
        self.put(seen & 15)
        return self._observation(self.state), *rest


class NoMergeBeyond32768(Broken):
    def __init__(self):
        super().__init__("2048", merge_cap=32768)


class DoubleMerge(Broken):
    def step(self, action):
        slide = self.state.slide(int(action))
        if slide is not None and slide.reward:
            again = self.game.position(ranks=slide.afterstate.board).slide(int(action))
            if again is not None and again.reward:
                self.put(again.afterstate.board)
                empty = np.argwhere(self.state.board == 0)[0]
                board = self.state.board
                board[tuple(empty)] = 1
                self.put(board)
                return board, float(slide.reward + again.reward), self.state.is_over, False, self._info(self.state, True)
        return super().step(action)


class RewardOfOneTile(Broken):
    def step(self, action):
        seen, reward, *rest = super().step(action)
        return seen, reward / 2, *rest


class IllegalMovesSpawn(Broken):
    def step(self, action):
        if self.state.slide(int(action)) is None and (self.state.board == 0).any():
            board = self.state.board
            board[tuple(np.argwhere(board == 0)[0])] = 1
            self.put(board)
            return board, 0.0, self.state.is_over, False, self._info(self.state, False)
        return super().step(action)


class EndsWhenFull(Broken):
    def step(self, action):
        seen, reward, _, *rest = super().step(action)
        return seen, reward, bool((seen > 0).all()), *rest


class EndsBeforeTheSpawn(Broken):
    def step(self, action):
        slide = self.state.slide(int(action))
        seen, reward, over, *rest = super().step(action)
        return seen, reward, over and slide is None, *rest


class OnlyTwos(Broken):
    def __init__(self):
        super().__init__("2048", spawn="2:1")


class ThreeTilesAtTheStart(Broken):
    def __init__(self):
        super().__init__("2048", start_tiles=3)


class Eights(Broken):
    def __init__(self):
        super().__init__("2048", spawn="2:.9,8:.1")


class FirstCellPreferred(Broken):
    def step(self, action):
        slide = self.state.slide(int(action))
        answer = super().step(action)
        if slide is None or self.np_random.random() < 0.7:
            return answer
        board = slide.afterstate.board
        board[tuple(np.argwhere(board == 0)[0])] = 1 + (self.np_random.random() < 0.1)
        self.put(board)
        return board, answer[1], self.state.is_over, False, self._info(self.state, True)


@pytest.mark.parametrize(
    "broken, kind",
    [
        (NoSpawnWithoutMerge, "no-spawn"),
        (MaskBeforeTheSpawn, "stale-mask"),
        (FourBits, "overflow"),
        (NoMergeBeyond32768, "overflow"),
        (DoubleMerge, "double-merge"),
        (RewardOfOneTile, "reward"),
        (IllegalMovesSpawn, "illegal-move"),
        (EndsWhenFull, "end"),
        (EndsBeforeTheSpawn, "end"),
        (OnlyTwos, "odds"),
        (ThreeTilesAtTheStart, "start"),
        (Eights, "spawn"),
        (FirstCellPreferred, "odds"),
    ],
)
def test_every_bug_is_found_by_its_name(broken, kind):
    found = report(broken())
    assert found.counts.most_common(1)[0][0] == kind or kind in found.counts, str(found)
    assert all(finding.kind in str(found) for finding in found.findings)
    assert max(found.counts[k] for k in found.counts) > 0


def test_the_command(capsys):
    from afterstate.conformance.__main__ import main

    assert main(["afterstate/2048-v1", "--steps", "300"]) == 0
    assert "nothing wrong was found" in capsys.readouterr().out
    gymnasium.register(id="afterstate-test/Broken-v0", entry_point=MaskBeforeTheSpawn)
    assert main(["afterstate-test/Broken-v0", "--steps", "300"]) == 1
    assert "stale-mask" in capsys.readouterr().out


def test_golden_games_are_what_the_rules_say():
    games = list(golden())
    assert len(games) >= 15 and {g.game.split("-")[0] for g in games} == {"2048", "threes"}
    for trajectory, record in zip(games, all_records(), strict=True):
        assert trajectory.score == record["score"] and trajectory.start == record["start"]
        assert [[s.action, s.slid, s.reward, s.state, s.legal] for s in trajectory.steps] == record["steps"]
    assert any(step.reward >= 131072 for g in games for step in g.steps)


def test_golden_games_find_wrong_slides():
    def twice(board, action):
        game = Game("2048-%dx%d" % board.shape)
        slide = game.position(ranks=board).slide(action)
        again = slide and game.position(ranks=slide.afterstate.board).slide(action)
        best = again or slide
        return best and (best.afterstate.board, slide.reward)

    def four_bits(board, action):
        slide = Game("2048-%dx%d" % board.shape).position(board).slide(action)
        return slide and (slide.afterstate.board & 15, slide.reward)

    assert check_slides(twice) and check_slides(four_bits)
