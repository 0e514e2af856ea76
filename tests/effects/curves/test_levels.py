import numpy as np
import pytest

from effects.models import Counting
from tauscope.effects import (
    BatchOptions,
    Interval,
    accumulated_levels,
    category_grid,
    custom_grid,
    numeric_grid,
    order_by_similarity,
)
from tauscope.errors import InputError
from tauscope.prediction.rows import as_rows

random = np.random.default_rng(0)
LEVEL = random.integers(0, 4, 300).astype(float)
# the true order of levels is 2, 0, 3, 1: another feature rises along it
RANK = np.array([1, 3, 0, 2])[LEVEL.astype(int)]
X = np.column_stack([LEVEL, RANK + random.normal(size=300), random.integers(0, 3, 300)])
WEIGHTS = random.exponential(size=300)
GRID = category_grid(LEVEL)


def predict(rows):
    score = np.where(np.isnan(rows[:, 0]), 9.0, np.array([1.0, 4.0, 9.0, 16.0])[np.nan_to_num(rows[:, 0]).astype(int)])
    return np.column_stack([score * (1 + rows[:, 1]), score])


def test_levels_stand_in_order_of_similarity():
    order = order_by_similarity(as_rows(X), 0, GRID, frozenset({2}))
    assert GRID.values[order].tolist() == [2, 0, 3, 1] or GRID.values[order].tolist() == [1, 3, 0, 2]
    assert order[0] < order[-1]


def test_similarity_by_definition():
    from tauscope.effects.curves.categories import _share_distances, _step_distances

    codes = LEVEL.astype(int)
    shares = np.array([np.bincount(X[codes == a, 2].astype(int), minlength=3) / (codes == a).sum() for a in range(4)])
    expected = [[0.5 * np.abs(a - b).sum() for b in shares] for a in shares]
    assert np.allclose(_share_distances(X[:, 2], codes, 4), expected)
    from scipy.stats import ks_2samp

    expected = [[ks_2samp(X[codes == a, 1], X[codes == b, 1]).statistic for b in range(4)] for a in range(4)]
    assert np.allclose(_step_distances(X[:, 1], codes, 4), expected)
    many = np.random.default_rng(1).normal(size=5000)
    level = (np.arange(5000) % 2).astype(np.int64)
    exact = ks_2samp(many[level == 0], many[level == 1]).statistic
    assert _step_distances(many, level, 2)[0, 1] == pytest.approx(exact, abs=2e-3)
    assert not _step_distances(np.full(5, np.nan), np.zeros(5, dtype=np.int64), 2).any()


def brute(levels, weights, X=X):
    position = np.array([levels.index(level) if level in levels else -1 for level in X[:, 0]])
    total = [np.zeros(2)]
    for k in range(len(levels) - 1):
        inside = (position == k) | (position == k + 1)
        low, high = X[inside].copy(), X[inside].copy()
        low[:, 0], high[:, 0] = levels[k], levels[k + 1]
        total.append(total[-1] + np.average(predict(high) - predict(low), axis=0, weights=weights[inside]))
    curve = np.array(total).T
    known = position >= 0
    return curve, curve - np.average(curve[:, position[known]], axis=1, weights=weights[known])[:, None]


@pytest.mark.parametrize("weights", [np.ones(300), WEIGHTS])
def test_by_definition(weights):
    model = Counting(predict)
    found = accumulated_levels(model, X, 0, GRID, categorical=frozenset({2}), sample_weight=weights)
    uncentred, centred = brute(found.grid.values.tolist(), weights)
    assert np.allclose(found.accumulated, uncentred, atol=1e-12)
    assert np.allclose(found.effect, centred, atol=1e-12)
    assert found.n.tolist() == [(X[:, 0] == level).sum() for level in found.grid.values]
    assert found.n_model_rows == model.rows < 3 * 300
    again = accumulated_levels(predict, X, 0, GRID, categorical=frozenset({2})).reweighted(weights)
    for name in ("effect", "lower", "upper", "mass"):
        assert np.allclose(getattr(again, name), getattr(found, name), atol=1e-12)
    known = accumulated_levels(predict, X, 0, GRID, batches=BatchOptions(predicted=predict(X)))
    assert known.n_model_rows < 2 * 300


def test_the_grids_own_order():
    found = accumulated_levels(predict, X, 0, GRID, ordered=True, centre=False)
    assert found.grid.values.tolist() == [0, 1, 2, 3]
    assert np.allclose(found.effect[1], [0, 3, 8, 15])


def test_missing_is_a_level_and_an_unlisted_one_takes_no_part():
    holed = X.copy()
    holed[::7, 0] = np.nan
    found = accumulated_levels(predict, holed, 0, category_grid(holed[:, 0]))
    assert np.isnan(found.grid.values).sum() == 1
    assert found.n.sum() == 300
    part = accumulated_levels(predict, X, 0, custom_grid([0, 1], LEVEL, categorical=True))
    assert part.n.sum() == (LEVEL < 2).sum()
    assert "take no part" in part.notes[0]


def test_interval_counts_a_row_in_both_its_steps():
    bootstrap = Interval("bootstrap", replicates=1500, random_state=0)
    drawn = accumulated_levels(predict, X, 0, GRID, interval=bootstrap, ordered=True)
    analytic = accumulated_levels(predict, X, 0, GRID, ordered=True)
    widths = (drawn.upper - drawn.lower)[0], (analytic.upper - analytic.lower)[0]
    assert widths[0] == pytest.approx(widths[1], rel=0.25)


def test_a_stopped_run_says_so():
    batches = BatchOptions(batch_rows=100, progress=lambda done, total: done >= 400)
    part = accumulated_levels(predict, X, 0, GRID, batches=batches)
    assert part.status == "stopped"
    assert part.n_done < part.n_total
    assert np.isfinite(part.effect).all()


@pytest.mark.parametrize("grid", [numeric_grid(X[:, 1]), custom_grid([0], LEVEL, categorical=True)])
def test_bad_grids_are_said(grid):
    with pytest.raises(InputError, match="categorical grid of at least two"):
        accumulated_levels(predict, X, 0, grid)
