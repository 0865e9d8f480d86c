"""The examples run."""

import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"


def test_learning_curve(tmp_path):
    drawn = tmp_path / "curve.svg"
    done = subprocess.run([sys.executable, EXAMPLES / "learning_curve.py", drawn, "1000"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "average of 1,000 games" in done.stdout
    text = drawn.read_text()
    assert text.startswith("<svg") and text.count("polyline") == 2


def test_bench_prints_its_figures():
    from afterstate.bench import native, rollout

    assert rollout("2048", 64, 1) > 1e5 and native("threes", 64, 1) > 1e4


def test_maskable_ppo_is_valid_python():
    compile((EXAMPLES / "maskable_ppo.py").read_text(), "maskable_ppo.py", "exec")
