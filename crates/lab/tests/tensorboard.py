"""Opens the event files of short runs with TensorBoard itself, and compares them with train.jsonl.

Usage: tensorboard.py path/to/afterstate
"""

import json
import pathlib
import subprocess
import sys
import tempfile

del sys.path[0]  # this file has the name of the package it imports

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

RECIPE = """
game = "2048-3x3"
[network]
patterns = "squares+rectangles"
alphabet = 10
[learning]
step = "coherence"
[run]
games = 3000
threads = 1
[evaluate]
every = 1500
games = 20
[checkpoint]
keep = 10
"""


def train(program, *arguments):
    subprocess.run([program, "train", *map(str, arguments), "--json"], check=True, capture_output=True)


def scalars(run):
    """Every scalar TensorBoard shows: {tag: [(step, value), ...]}."""
    events = EventAccumulator(str(run), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def expected(run):
    """The same from what the run wrote in JSON."""
    found = {}

    def add(tag, step, value):
        found.setdefault(tag, []).append((step, value))

    for line in map(json.loads, (run / "train.jsonl").read_text().splitlines()):
        step, group = line["games"], f"train-{line['window']}"
        add(f"{group}/average", step, line["mean"])
        add(f"{group}/maximum", step, line["max"])
        add("speed/moves_per_second", step, line["moves"] / line["seconds"])
        add("learning/factor", step, line["factor"])
        for tile, rate in line["tiles"]:
            add(f"{group}/tile_{tile}", step, rate)
    for path in sorted((run / "eval").glob("*.json")):
        evaluation = json.loads(path.read_text())
        group = path.stem if evaluation["final"] else "eval"
        add(f"{group}/average", evaluation["trained_games"], evaluation["score"]["mean"])
        for tile, rate in evaluation["tiles"]:
            add(f"{group}/tile_{tile}", evaluation["trained_games"], rate)
    return found


def compare(run, steps):
    seen, wanted = scalars(run), expected(run)
    assert seen.keys() == wanted.keys(), sorted(seen.keys() ^ wanted.keys())
    for tag, points in wanted.items():
        if tag.startswith("final"):
            seen[tag] = seen[tag][-1:]  # a run that went on has more than one end; the file has the last
        assert [step for step, _ in seen[tag]] == [step for step, _ in points], (tag, seen[tag], points)
        for (_, value), (_, right) in zip(seen[tag], points):
            assert abs(value - right) <= 1e-6 * abs(right), (tag, value, right)
    assert [step for step, _ in seen["train-1000/average"]] == steps, seen["train-1000/average"]


def a_run_in_one_go(program, place):
    train(program, place / "recipe.toml", "--run", place / "once")
    compare(place / "once", [1000, 2000, 3000])


def a_resumed_run_has_no_gap_at_the_step_it_was_resumed_at(program, place):
    train(program, place / "recipe.toml", "--run", place / "twice", "--games", 2000)
    train(program, "--resume", "--run", place / "twice", "--games", 4000)
    compare(place / "twice", [1000, 2000, 3000, 4000])


def games_that_were_lost_are_forgotten(program, place):
    run = place / "lost"
    train(program, place / "recipe.toml", "--run", run, "--games", 2000)
    train(program, "--resume", "--run", run, "--games", 5000)
    (run / "checkpoints" / "000000005000.afterstate").unlink()
    train(program, "--resume", "--run", run, "--games", 4000)
    compare(run, [1000, 2000, 3000, 4000])


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for test in [
        a_run_in_one_go,
        a_resumed_run_has_no_gap_at_the_step_it_was_resumed_at,
        games_that_were_lost_are_forgotten,
    ]:
        with tempfile.TemporaryDirectory() as name:
            place = pathlib.Path(name)
            (place / "recipe.toml").write_text(RECIPE)
            try:
                test(program, place)
                passed += 1
                print(f"test {test.__name__} ... ok")
            except Exception as error:  # told, counted, and the next one is tried
                failed += 1
                print(f"test {test.__name__} ... FAILED\n  {type(error).__name__}: {error}")
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed")
    sys.exit(1 if failed else 0)


main()
