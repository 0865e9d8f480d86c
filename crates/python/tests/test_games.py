"""Games, positions, chance, solving: the same rules as everywhere, with Python's manners."""

import copy
import pickle
from fractions import Fraction

import afterstate
import numpy as np
import pytest
from afterstate import Game, Random, solve

ALL = [
    "2048", "2048-3x3", "2048-1x4", "2048-5x5", "2048-8x8", "1024", "1024-3x4",
    "threes", "threes-app", "threes-course", "threes-2x3", "threes-course-2x3", "threes-5x5",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_play_through_by_slides_and_outcomes(name):
    game, random = Game(name), Random(1)
    state = game.start(random=random)
    score, checked = state.start_score, 0
    while not state.is_over and checked < 400:
        assert state.mask.tolist() == [int(d in state.legal) for d in range(4)]
        slide = state.slide(state.legal[random.below(len(state.legal))])
        outcomes = slide.afterstate.outcomes()
        assert sum(o.ways for o in outcomes) == slide.afterstate.ways
        assert sum(Fraction(o.ways, slide.afterstate.ways) for o in outcomes) == 1
        outcome = slide.afterstate.sample(random=random)
        assert any(o.state == outcome.state for o in outcomes)
        state = outcome.state
        score += slide.reward + outcome.reward
        again = game.position(state.text)
        assert again == state and hash(again) == hash(state)
        checked += 1
    assert checked > 0
    if name.startswith("threes"):
        assert score == state.start_score


def test_slides_of_the_rules():
    state = Game("2048").position("1210/3302/0043/5512")
    expected = {
        "up": ("1212/3343/5512/0000", 0), "right": ("0121/0042/0043/0612", 80),
        "down": ("0000/1212/3343/5512", 0), "left": ("1210/4200/4300/6120", 80),
    }  # fmt: skip
    assert {afterstate.ACTIONS[s.direction]: (s.afterstate.text, s.reward) for s in state.slides()} == expected
    assert state.slide(3).reward == state.slide("left").reward == 80
    large = Game("2048").position("gg11/0000/0000/0000").slide("left")
    assert (large.afterstate.text, large.reward) == ("h200/0000/0000/0000", 131076)


def test_arrays_are_copies_of_the_right_kind():
    state = Game("2048").position("1210/3302/0043/5512")
    board = state.board
    assert board.dtype == np.uint8 and board.shape == (4, 4) and state.mask.dtype == np.int8
    board[:] = 9
    assert state.board[0, 0] == 1
    assert state.tiles[3].tolist() == [32, 32, 2, 4]
    game = Game("2048")
    assert game.position(ranks=state.board) == state == game.position(ranks=state.board.ravel().tolist())
    assert game.position(tiles=state.tiles) == state == game.position(state.board)


def test_numbers_that_could_be_ranks_or_tiles_are_refused():
    game = Game("2048-2x2")
    numbers = [[2, 4], [0, 8]]
    with pytest.raises(ValueError, match="ranks= or tiles="):
        game.position(numbers)
    assert (game.position(ranks=numbers).text, game.position(tiles=numbers).text) == ("24/08", "12/03")
    # Where only one reading makes sense, or both are the same, nothing is asked.
    assert game.position([[1, 2], [0, 3]]).text == "12/03"
    assert game.position([[64, 4], [0, 8]]).text == "62/03"
    assert Game("threes-2x2").position([[1, 2], [0, 3]], hint=1).text.startswith("12/03 ")
    for given in [{}, {"ranks": numbers, "tiles": numbers}, {"board": "12/03", "ranks": numbers}]:
        with pytest.raises(ValueError, match="once"):
            game.position(**given)


def test_states_draw_themselves():
    state = Game("2048-2x3").position("120/031")
    assert str(state).splitlines() == [
        "+------+------+------+",
        "|    2 |    4 |      |",
        "+------+------+------+",
        "|      |    8 |    2 |",
        "+------+------+------+",
    ]
    assert repr(state) == "<State of 2048-2x3-v1: 120/031>" and state.text == "120/031"
    assert "| 131072 |" in str(Game("2048-2x2").position("h0/00"))
    threes = str(Game("threes-2x2").position("12/03 bag=3,4,4 hint=1"))
    assert threes.endswith("next 1, in the bag 3 × 1, 4 × 2, 4 × 3")


def test_threes_positions_from_arrays():
    for name in ["threes", "threes-app", "threes-course"]:
        game, random = Game(name), Random(3)
        state = game.start(random=random)
        while not state.is_over:
            again = game.position(ranks=state.board, hint=state.hint, bag=state.bag)
            if name != "threes-course":
                assert again == state
            state = state.slides()[0].afterstate.sample(random=random).state
    with pytest.raises(ValueError, match="hint"):
        Game("threes").position(np.ones((4, 4)))


def test_pickle_and_copy():
    game = Game("2048-3x3", spawn="2:.5,4:.5", start_tiles=3, merge_cap=64)
    state = game.start(seed=4)
    for thing in (game, state):
        assert pickle.loads(pickle.dumps(thing)) == thing == copy.deepcopy(thing)
    assert repr(game) == "Game('2048-3x3', start_tiles=3, spawn='2:.5,4:.5', merge_cap=64)"
    assert pickle.loads(pickle.dumps(state)).game == game != Game("2048-3x3")


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: Game("treees"), "did you mean"),
        (lambda: Game("2048-9x9"), "1 to 8"),
        (lambda: Game("2048", start_tiles=99), "start tiles"),
        (lambda: Game("2048", spawn="3:1"), "not a tile"),
        (lambda: Game("2048").position("123"), "4x4"),
        (lambda: Game("2048").position(np.zeros((3, 3))), "shape"),
        (lambda: Game("2048").position(np.full((4, 4), 61)), "61 is no rank.*61 is not a tile"),
        (lambda: Game("2048").position(np.full((4, 4), -1)), "-1 is no rank"),
        (lambda: Game("2048").position(tiles=np.full((4, 4), 3)), "3 is not a tile"),
        (lambda: Game("2048").start(), "seed"),
        (lambda: Game("2048").start(seed=1).slide("sideways"), "no direction"),
        (lambda: Game("2048").start(seed=1).slide(4), "no direction"),
        (lambda: Game("2048").starts(), "too many"),
        (lambda: Game("2048").rank(3), "not a tile"),
        (lambda: Game("2048").label(61), "no rank"),
        (lambda: Random(1).below(0), "below 0"),
        (lambda: solve("2048"), "too large"),
        (lambda: solve("2048-2x2", tile=3), "not a tile"),
    ],
)
def test_mistakes_raise_with_the_message_of_the_library(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_solutions():
    solution = solve("2048-2x3")
    assert solution.optimal == pytest.approx(480.258271776, abs=1e-8)
    assert solution.random == pytest.approx(61.168880295, abs=1e-8)
    assert (solution.states, solution.afterstates, solution.terminal, solution.raw_states) == (21752, 14883, 4484, 85844)
    game = Game("2048-2x3")
    expected = sum(ways * solution.value(state) for ways, state in game.starts())
    assert expected / sum(ways for ways, _ in game.starts()) == pytest.approx(solution.optimal)
    # The best move is the one with the largest reward + expected value.
    state = game.position("120/031")
    worth = {
        s.direction: s.reward + sum(o.ways * solution.value(o.state) for o in s.afterstate.outcomes()) / s.afterstate.ways
        for s in state.slides()
    }
    assert solution.best(state) == max(worth, key=worth.get)
    with pytest.raises(ValueError, match="2048-2x3"):
        solution.value(Game("2048-2x2").start(seed=1))
    with pytest.raises(ValueError, match="values=True"):
        solve("2048-2x2", values=False).best(Game("2048-2x2").start(seed=1))
