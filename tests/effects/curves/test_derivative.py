import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor

from effects.models import Counting, data, smooth
from tauscope.effects import BatchOptions, accumulated_effect, custom_grid, derivative_effect, numeric_grid
from tauscope.errors import InputError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 11)


def slope(X):
    """Derivative of `smooth` along the first column, by hand."""
    first = np.cos(X[:, 0]) + X[:, 1]
    p = smooth(X)[:, 1]
    return np.column_stack([first, p * (1 - p) * first])


def test_by_definition():
    found = derivative_effect(X, 0, GRID, gradient=slope(X), sample_weight=WEIGHTS, centre=False)
    x, edges, total = X[:, 0], GRID.values, [np.zeros(2)]
    for k in range(1, len(edges)):
        inside = (x > edges[k - 1]) & (x <= edges[k]) | ((k == 1) & (x == edges[0]))
        mean = np.average(slope(X)[inside], axis=0, weights=WEIGHTS[inside])
        total.append(total[-1] + (edges[k] - edges[k - 1]) * mean)
    assert np.allclose(found.effect, np.array(total).T, atol=1e-12)
    assert found.source == "gradient"
    assert found.n_model_rows == 0


def test_finite_differences_find_the_gradient():
    model = Counting(smooth)
    found = derivative_effect(X, 0, GRID, predict=model)
    exact = derivative_effect(X, 0, GRID, gradient=slope(X))
    assert np.allclose(found.effect, exact.effect, atol=1e-6)
    assert found.source == "finite differences"
    assert found.n_model_rows == model.rows == 2 * len(X)
    wide = derivative_effect(X, 0, GRID, predict=smooth, step=0.5)
    assert not np.allclose(wide.effect, exact.effect, atol=1e-3)


def test_near_the_differences_across_narrow_bins():
    many = data(4000)
    grid = numeric_grid(many[:, 0], 60)
    slopes = derivative_effect(many, 0, grid, predict=smooth)
    differences = accumulated_effect(smooth, many, 0, grid)
    gap = np.abs(slopes.effect - differences.effect)
    assert np.median(gap) < 0.002
    assert gap.max() < 0.2


def test_reweighting_and_stopping():
    fresh = derivative_effect(X, 0, GRID, predict=smooth, sample_weight=WEIGHTS)
    moved = derivative_effect(X, 0, GRID, predict=smooth).reweighted(WEIGHTS)
    assert np.allclose(moved.effect, fresh.effect, atol=1e-12)
    batches = BatchOptions(batch_rows=60, progress=lambda done, total: done >= 240)
    part = derivative_effect(X, 0, GRID, predict=smooth, batches=batches)
    assert (part.status, part.n_done, part.n_total) == ("stopped", 120, 240)


def test_a_model_flat_between_jumps_is_refused():
    forest = RandomForestRegressor(5, random_state=0).fit(X, smooth(X)[:, 0])
    with pytest.raises(InputError, match="takes differences across bins"):
        derivative_effect(X, 0, GRID, predict=forest.predict)


def test_a_model_that_ignores_the_feature_is_not():
    found = derivative_effect(X, 0, GRID, predict=lambda rows: rows[:, 1])
    assert not found.effect.any()
    assert found.n_model_rows > 2 * len(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "need a gradient"),
        ({"gradient": np.zeros(3)}, "one answer per row"),
        ({"predict": smooth, "step": 0.0}, "step must be positive"),
    ],
)
def test_bad_requests_are_said(options, message):
    with pytest.raises(InputError, match=message):
        derivative_effect(X, 0, GRID, **options)


def test_a_step_lost_in_rounding_is_refused():
    far = X.copy()
    far[:, 0] = 2.0**53 + 2 * np.arange(len(X))
    grid = numeric_grid(far[:, 0], 5)
    with pytest.raises(InputError, match="lost in the rounding"):
        derivative_effect(far, 0, grid, predict=lambda rows: rows[:, 0], step=0.1)
    found = derivative_effect(far, 0, grid, predict=lambda rows: rows[:, 0], step=4.0, centre=False)
    assert np.allclose(found.effect[0], grid.values - grid.values[0])


def test_rows_outside_the_bins_are_not_asked_about():
    grid = custom_grid([-0.5, 0, 0.5], X[:, 0])
    found = derivative_effect(X, 0, grid, predict=smooth)
    assert found.n_model_rows == 2 * (np.abs(X[:, 0]) <= 0.5).sum()


def test_a_step_beyond_the_range_is_said():
    values = data()[:, 0]
    options = {"predict": lambda rows: np.tanh(rows[:, 0]), "require_smooth": False}
    far = derivative_effect(data(), 0, numeric_grid(values, 9), step=1e30, **options)
    assert any("longer than the feature's range" in note for note in far.notes)
    near = derivative_effect(data(), 0, numeric_grid(values, 9), step=1e-3, **options)
    assert not any("step" in note for note in near.notes)
