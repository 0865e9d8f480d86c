# %% [markdown]
# # A learning curve
# Trains a small network on 3x3 2048 and draws how its average score grows, beside perfect play.
# Run it as a script, or open it as a notebook: every `# %%` begins a cell.

# %%
import sys
from pathlib import Path

import afterstate

out = Path(sys.argv[1] if len(sys.argv) > 1 else "learning-curve.svg")
games = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000

RECIPE = """
game = "2048-3x3"
[network]
patterns = "squares 012 345"
alphabet = 11
[learning]
target = "backward"
step = "coherence"
[run]
games = 20000
"""

# %% [markdown]
# ## Learn
# A `Trainer` plays a round of games at a time and says how they went.

# %%
trainer = afterstate.Trainer(RECIPE, threads=1)
windows = []
for _ in range(20):
    windows.append(trainer.play(games // 20))
    print(f"{trainer.games:>8,} games   average {windows[-1].mean:8.1f}")

# %% [markdown]
# ## Draw
# Plain SVG: no plotting library is needed.

# %%
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 360, 70, 40
OPTIMAL = 5468.49  # the exact value of 3x3, `afterstate solve 2048-3x3`
top = OPTIMAL * 1.05


def place(x: float, y: float) -> str:
    return f"{LEFT + (WIDTH - LEFT - 20) * x / games:.1f},{HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 20) * y / top:.1f}"


points, played = [], 0
for window in windows:
    played += window.games
    points.append(place(played, window.mean))
lines = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
]
for value in range(0, 6000, 1000):
    x, y = place(0, value).split(",")
    lines.append(f'<text x="{LEFT - 8}" y="{float(y) + 4}" text-anchor="end">{value:,}</text>')
    lines.append(f'<line x1="{x}" x2="{WIDTH - 20}" y1="{y}" y2="{y}" stroke="#ddd"/>')
lines.append(f'<polyline points="{place(0, OPTIMAL)} {place(games, OPTIMAL)}" fill="none" stroke="#999" stroke-dasharray="4"/>')
lines.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="#0072b2" stroke-width="2"/>')
lines.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">{games:,} training games; dashed: perfect play</text>')
lines.append("</svg>")
out.write_text("\n".join(lines) + "\n")
print(f"drawn in {out}")

# %% [markdown]
# ## How good is it?
# The same network, playing without learning.

# %%
result = afterstate.evaluate(afterstate.Agent(trainer.network), games=1000, threads=1)
low, high = result.ci95 or (result.mean, result.mean)
print(f"average of 1,000 games {result.mean:.0f}, 95 % interval {low:.0f} to {high:.0f}")
