import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.inspection import partial_dependence as sklearn_dependence

from effects.models import brute_ice, data, linear, smooth
from tauscope.effects import Interval, custom_grid, numeric_grid, partial_dependence
from tauscope.errors import InputError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))


def test_individual_curves_by_definition():
    grid = numeric_grid(X[:, 0], 9)
    found = partial_dependence(smooth, X, (0,), (grid,), sample_weight=WEIGHTS)
    curves = brute_ice(smooth, X, 0, grid.values)
    assert np.array_equal(found.ice, curves)
    assert np.allclose(found.effect, np.average(curves, axis=1, weights=WEIGHTS), atol=1e-13)
    assert found.n_outputs == 2
    assert found.n_rows == 240
    assert found.kind == "pd"
    assert found.grid is grid
    assert found.mass == pytest.approx(np.full(9, 240.0))
    assert np.array_equal(found.centred_curves(3), curves - curves[:, :, [3]])


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("columns", [(0,), (1, 2)])
def test_equals_scikit_learn(weights, columns):
    y = smooth(X)[:, 0]
    for estimator, method, target in (
        (GradientBoostingRegressor(n_estimators=10, random_state=0).fit(X, y), "predict", "auto"),
        (RandomForestClassifier(10, random_state=0).fit(X, y > 0.5), "predict_proba", "predict_proba"),
    ):
        theirs = sklearn_dependence(
            estimator,
            X,
            [columns],
            sample_weight=weights,
            method="brute",
            response_method=target,
            grid_resolution=8,
            kind="average" if weights is not None else "both",
        )
        grids = tuple(custom_grid(v, X[:, c]) for v, c in zip(theirs["grid_values"], columns, strict=True))
        ours = partial_dependence(getattr(estimator, method), X, columns, grids, sample_weight=weights)
        assert np.allclose(ours.effect[-1], theirs["average"][-1], rtol=0, atol=1e-12)
        if weights is None:
            assert np.allclose(ours.ice[-1], theirs["individual"][-1], rtol=0, atol=1e-12)


def test_two_features():
    a, b = numeric_grid(X[:, 0], 4), numeric_grid(X[:, 1], 5)
    found = partial_dependence(linear, X, (0, 1), (a, b))
    expected = a.values[:, None] + 2 * b.values + (X[:, 2:] @ [3, 4]).mean()
    assert np.allclose(found.effect, expected)
    assert found.ice.shape == (1, 240, 4, 5)
    assert found.lower.shape == (1, 4, 5)
    assert found.n.shape == (4, 5)
    with pytest.raises(InputError, match="of one feature, got two"):
        found.centred_curves()


def test_missing_is_asked_as_missing():
    holed = X.copy()
    holed[::5, 0] = np.nan
    grid = numeric_grid(holed[:, 0], 5)
    found = partial_dependence(lambda rows: np.isnan(rows[:, 0]) * 7.0, holed, (0,), (grid,))
    assert found.effect.tolist() == [[0] * 5 + [7]]


def test_curves_pass_the_memory_allowed():
    grid = numeric_grid(X[:, 0], 9)
    kept = partial_dependence(smooth, X, (0,), (grid,), ice_bytes=2 * 240 * 9 * 8)
    none = partial_dependence(smooth, X, (0,), (grid,), ice_bytes=2 * 240 * 9 * 8 - 1)
    assert kept.ice is not None
    assert none.ice is None
    assert np.array_equal(kept.effect, none.effect)
    assert np.array_equal(kept.lower, none.lower)
    with pytest.raises(InputError, match="raise ice_bytes"):
        none.reweighted(WEIGHTS)


@pytest.mark.parametrize("interval", [Interval(), Interval("bootstrap", replicates=50, random_state=3)])
def test_reweighting_asks_nothing_and_equals_a_fresh_run(interval):
    grid = numeric_grid(X[:, 0], 9)
    fresh = partial_dependence(smooth, X, (0,), (grid,), sample_weight=WEIGHTS, interval=interval)
    moved = partial_dependence(smooth, X, (0,), (grid,), interval=interval).reweighted(3 * WEIGHTS)
    for name in ("effect", "lower", "upper", "mass", "sample_weight"):
        assert np.allclose(getattr(moved, name), getattr(fresh, name), rtol=0, atol=1e-12), name
    assert moved.n_model_rows == 0
    other = moved.reweighted(WEIGHTS, Interval(confidence=0.5))
    assert np.all(other.upper - other.lower < fresh.upper - fresh.lower)
    surface = partial_dependence(smooth, X, (0, 1), (grid, grid), sample_weight=WEIGHTS)
    again = surface.reweighted(np.ones(240)).reweighted(WEIGHTS)
    assert np.allclose(again.effect, surface.effect, atol=1e-12)


def test_a_stopped_run_can_be_reweighted():
    from tauscope.effects import BatchOptions

    grid = numeric_grid(X[:, 0], 9)
    batches = BatchOptions(batch_rows=9 * 60, progress=lambda done, total: True)
    part = partial_dependence(smooth, X, (0,), (grid,), batches=batches)
    assert part.ice.shape == (2, 60, 9)
    expected = np.average(part.ice, axis=1, weights=WEIGHTS[part.ice_rows])
    assert np.allclose(part.reweighted(WEIGHTS).effect, expected)


def test_interval_is_that_of_a_mean():
    from scipy import stats

    grid = numeric_grid(X[:, 0], 9)
    found = partial_dependence(linear, X, (0,), (grid,))
    values = found.ice[0, :, 4]
    expected = stats.t.interval(0.95, 239, values.mean(), stats.sem(values))
    assert (found.lower[0, 4], found.upper[0, 4]) == pytest.approx(expected, rel=1e-12)
    assert found.interval.label.startswith("95 % interval of the mean over rows, the model held fixed")
    assert found.seed is None


def test_bootstrap_is_repeatable_and_near_the_analytic_one():
    grid = numeric_grid(X[:, 0], 5)
    bootstrap = Interval("bootstrap", replicates=2000, random_state=1)
    one = partial_dependence(linear, X, (0,), (grid,), sample_weight=WEIGHTS, interval=bootstrap)
    two = partial_dependence(linear, X, (0,), (grid,), sample_weight=WEIGHTS, interval=bootstrap)
    analytic = partial_dependence(linear, X, (0,), (grid,), sample_weight=WEIGHTS)
    assert np.array_equal(one.lower, two.lower)
    assert one.seed == 1
    assert one.upper - one.lower == pytest.approx(analytic.upper - analytic.lower, rel=0.1)
    assert "bootstrap samples" in one.interval.label
    fresh = partial_dependence(linear, X, (0,), (grid,), interval=Interval("bootstrap", replicates=9))
    assert isinstance(fresh.seed, int)


def test_bootstrap_of_rows_predicted_once():
    few = np.repeat(X[:8], 40, axis=0)
    grid = numeric_grid(X[:, 0], 5)
    interval = Interval("bootstrap", replicates=500, random_state=0)
    found = partial_dependence(linear, few, (0,), (grid,), interval=interval)
    analytic = partial_dependence(linear, few, (0,), (grid,))
    assert found.n_model_rows == 8 * 5
    assert found.upper - found.lower == pytest.approx(analytic.upper - analytic.lower, rel=0.15)


@pytest.mark.parametrize(
    ("columns", "n_grids", "message"),
    [((0, 1, 2), 3, "one feature or two, got 3"), ((0,), 2, "one grid for each"), ((9,), 1, "one of 0 … 3")],
)
def test_bad_requests_are_said(columns, n_grids, message):
    grid = numeric_grid(X[:, 0], 5)
    with pytest.raises(InputError, match=message):
        partial_dependence(linear, X, columns, (grid,) * n_grids)


def test_points_outside_are_noted():
    found = partial_dependence(linear, X, (0,), (custom_grid([-99, 0], X[:, 0]),))
    assert "1 of 2 grid values are points outside" in found.notes[0]
