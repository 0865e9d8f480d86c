"""The wheel in an environment of its own, as a user has it: ten games of 2048 by the built-in player.

`./test` installs the wheel into a fresh environment and runs this there; nothing of the repository is on its path.
"""

import time

import afterstate

began = time.perf_counter()
agent = afterstate.Agent()
print(agent.game.start(seed=1))
loaded = time.perf_counter()
result = afterstate.evaluate(afterstate.Agent(ply=2), games=10, seed=1)
played = time.perf_counter()
print(result)
print(f"loaded in {loaded - began:.1f} s, ten games at 2-ply in {played - loaded:.1f} s")
assert (agent.model, agent.ply) == ("builtin:2048", 3), agent
assert result.mean > 200_000, result.mean
first = agent.game.position("1210/3302/0043/5512")
assert agent.act(first) in first.legal
