"""How often 95 % intervals of accumulated effects cover those of the population, the edges fixed."""

from collections.abc import Callable

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor

from report import Row
from tauscope.effects import AccumulatedEffect, Interval, accumulated_effect, custom_grid, derivative_effect

N_ROWS, REPLICATIONS, POPULATION = 1000, 400, 300_000
LEVELS = np.linspace(0.02, 0.98, 12)
MOST_MISSED = 0.07

Array = np.ndarray
Compute = Callable[[Array, Array | None, Interval], AccumulatedEffect]


def _draw(n: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n, 3))
    rows[:, 1] = 0.5 * rows[:, 0] + np.sqrt(0.75) * rows[:, 1]
    rows[:, 2] = rng.exponential(size=n)
    return rows


def _line(rows: Array) -> Array:
    return 2 * rows[:, 0]


def _smooth(rows: Array) -> Array:
    return np.sin(2 * rows[:, 0]) + rows[:, 0] * rows[:, 1] + np.log1p(rows[:, 2])


def _slopes(rows: Array) -> Array:
    return 2 * np.cos(2 * rows[:, 0]) + rows[:, 1]


def _tilt(rows: Array) -> Array:
    return np.exp(0.5 * rows[:, 1])


def _cases() -> dict[str, Compute]:
    """Each effect by name: how it is computed, its edges being quantiles of the population."""
    rows = _draw(2000, 0)
    y = _smooth(rows) + 0.3 * np.random.default_rng(1).standard_normal(len(rows))
    boosted = GradientBoostingRegressor(n_estimators=60, random_state=0).fit(rows, y)
    grids = [custom_grid(np.quantile(column, LEVELS), column) for column in _draw(POPULATION, 2).T]

    def ale(predict: Callable[[Array], Array], column: int) -> Compute:
        return lambda x, weight, interval: accumulated_effect(
            predict, x, column, grids[column], sample_weight=weight, interval=interval
        )

    def dale(x: Array, weight: Array | None, interval: Interval) -> AccumulatedEffect:
        return derivative_effect(x, 0, grids[0], gradient=_slopes(x), sample_weight=weight, interval=interval)

    trees = {f"ale of boosted trees, feature {column}": ale(boosted.predict, column) for column in range(3)}
    return {"ale of 2x": ale(_line, 0)} | trees | {"dale of a smooth function": dale}


def measure() -> list[Row]:
    """Share of intervals that miss, over the grid's points, per effect, interval and weighting."""
    rows: list[Row] = []
    for name, compute in _cases().items():
        for weighted in (False, True):
            population = _draw(POPULATION, 3)
            truth = compute(population, _tilt(population) if weighted else None, Interval()).effect[0]
            rows += [_row(name, compute, weighted, truth, kind) for kind in ("mean", "bootstrap")]
    return rows


def _row(name: str, compute: Compute, weighted: bool, truth: Array, kind: str) -> Row:
    hits: list[Array] = []
    for seed in range(REPLICATIONS):
        sample = _draw(N_ROWS, 1000 + seed)
        interval = Interval() if kind == "mean" else Interval("bootstrap", random_state=seed)
        found = compute(sample, _tilt(sample) if weighted else None, interval)
        hits.append((found.lower[0] <= truth) & (truth <= found.upper[0]))
    by_point = np.mean(hits, axis=0)
    words = f"{name}, {'weighted, ' if weighted else ''}{'Student t' if kind == 'mean' else 'bootstrap'}"
    return Row(
        f"intervals that miss, {words}",
        "",
        ours=float(1 - by_point.mean()),
        at_most=MOST_MISSED,
        note=f"mean over {len(truth)} points, {REPLICATIONS} replications of {N_ROWS} rows, nominal .05; "
        f"{1 - by_point.min():.3f} at the worst point",
    )
