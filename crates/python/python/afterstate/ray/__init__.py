"""More than one machine, with Ray.

    import ray, afterstate.ray
    ray.init(address="auto")
    result = afterstate.ray.evaluate("model.afterstate", games=100_000, ply=2)

`evaluate` shards games over a cluster and reports exactly what one machine would; `sweep` runs many recipes as tasks
and goes on where it was stopped; `train` has several machines teach one network, `train_apart` each a network of its own that
are joined at the end. Lost workers, machines and drivers are replaced.
"""

from afterstate.ray.apart import train_apart
from afterstate.ray.evaluation import evaluate
from afterstate.ray.sweeping import sweep
from afterstate.ray.training import Round, train

__all__ = ["Round", "evaluate", "sweep", "train", "train_apart"]
