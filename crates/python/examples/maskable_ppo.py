"""MaskablePPO for a minute, and an n-tuple network for a minute: who plays 2048 better?

    pip install afterstate[examples]
    python maskable_ppo.py [SECONDS]
"""

import sys
import time

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

import afterstate

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0


class Scaled(gymnasium.RewardWrapper):
    """Rewards as powers of two are hard on a value network: their logarithm is not."""

    def reward(self, reward):
        return float(np.log2(1 + reward)) / 10

    def action_masks(self):
        return self.unwrapped.action_masks().astype(bool)


class Clock(BaseCallback):
    """Stops the training after some seconds."""

    def _on_training_start(self):
        self.end = time.monotonic() + seconds

    def _on_step(self):
        return time.monotonic() < self.end


def make():
    return Scaled(gymnasium.make("afterstate/2048-v1", one_hot=True))


def play(predict, games=100):
    """Average score of greedy games in the native vector environment."""
    env = afterstate.vector.VectorEnv("2048", games, one_hot=True, autoreset_mode="disabled")
    seen, infos = env.reset(seed=1)
    over = np.zeros(games, dtype=bool)
    while not over.all():
        seen, _, over, _, infos = env.step(predict(seen, infos["action_mask"]))
    return env.batch.scores()[0].mean()


import afterstate.vector  # noqa: E402

model = MaskablePPO("MlpPolicy", DummyVecEnv([make] * 8), n_steps=256, batch_size=512, seed=1, device="cpu")
model.learn(10**9, callback=Clock())
ppo = play(lambda seen, mask: model.predict(seen, deterministic=True, action_masks=mask.astype(bool))[0])

network = afterstate.train("quick", seconds=seconds, threads=1)
agent = afterstate.Agent(network)
tuples = play(lambda seen, mask: agent.predict(seen)[0])

chance = np.random.default_rng(1)
random = play(lambda seen, mask: (mask * chance.random(mask.shape)).argmax(1))
print(f"random {random:8.0f}\nMaskablePPO, {seconds:.0f} s {ppo:8.0f}\nn-tuple network, {seconds:.0f} s {tuples:8.0f}")
if not (ppo > random and tuples > ppo):
    sys.exit("unexpected: random < MaskablePPO < n-tuple network was expected")
