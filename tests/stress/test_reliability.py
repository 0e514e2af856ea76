"""Whether intervals in cells that a sample shows as reliable hold the population's value at the same τ."""

import numpy as np
import pytest

from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import LEVEL_OF, LEVELS

TAUS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
N, SAMPLES, POPULATION = 1000, 150, 200_000


def population(task, rng):
    """A skewed, a heaped and a normal column, all of which the answers depend on, one of them with a bend."""
    x = np.stack([rng.gamma(2, size=POPULATION), rng.poisson(2, POPULATION) * 1.0, rng.normal(size=POPULATION)])
    lean = np.sin(x[0]) + 0.4 * x[1] - x[2] - 1
    if task == "regression":
        return x, Outcomes("regression", lean, lean + rng.normal(size=POPULATION) * (0.5 + 0.2 * x[1]))
    chance = 1 / (1 + np.exp(-1.5 * lean))
    truth = (rng.random(POPULATION) < chance).astype(np.int64)
    return x, Outcomes("binary", (chance > 0.6).astype(np.int64), truth, chance, ("0", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "regression"])
def test_reliable_cells_cover(task):
    rng = np.random.default_rng(11)
    x, outcomes = population(task, rng)
    truth = stress_curves(list(x), outcomes, taus=TAUS).value
    hits, n_reliable = np.zeros(truth.shape), np.zeros(truth.shape)
    for _ in range(SAMPLES):
        rows = rng.integers(0, POPULATION, N)
        curves = stress_curves([each[rows] for each in x], outcomes.take(rows), taus=TAUS)
        reliable = LEVEL_OF[curves.reason] == LEVELS.index("reliable")
        hits += reliable & (curves.lower <= truth) & (truth <= curves.upper)
        n_reliable += reliable
    assert n_reliable.sum() > 0.5 * SAMPLES * truth.size
    assert hits.sum() / n_reliable.sum() >= 0.93
    often = n_reliable >= SAMPLES / 2
    assert np.quantile((hits / np.maximum(n_reliable, 1))[often], 0.1) >= 0.9
