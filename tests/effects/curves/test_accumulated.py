import itertools

import numpy as np
import pytest
from scipy import stats

from effects.models import Counting, data, linear, smooth
from tauscope.effects import (
    BatchOptions,
    Interval,
    accumulated_effect,
    category_grid,
    custom_grid,
    derivative_effect,
    numeric_grid,
)
from tauscope.errors import InputError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 11)


def brute(predict, X, column, edges, weights):
    """Uncentred and centred curve by definition, bin by bin: (q, G) each."""
    x = X[:, column]
    total = [np.zeros(np.atleast_2d(np.asarray(predict(X[:2])).T).shape[0])]
    for k in range(1, len(edges)):
        inside = (x > edges[k - 1]) & (x <= edges[k])
        if k == 1:
            inside |= x == edges[0]
        low, high = X[inside].copy(), X[inside].copy()
        low[:, column], high[:, column] = edges[k - 1], edges[k]
        change = np.atleast_2d((np.asarray(predict(high)) - np.asarray(predict(low))).T)
        total.append(total[-1] + (np.average(change, axis=1, weights=weights[inside]) if inside.any() else 0))
    curve = np.array(total).T
    inside = (x >= edges[0]) & (x <= edges[-1])
    mean = [np.average(np.interp(x[inside], edges, c), weights=weights[inside]) for c in curve]
    return curve, curve - np.array(mean)[:, None]


@pytest.mark.parametrize("weights", [np.ones(len(X)), WEIGHTS])
def test_by_definition(weights):
    model = Counting(smooth)
    found = accumulated_effect(model, X, 0, GRID, sample_weight=weights)
    uncentred, centred = brute(smooth, X, 0, GRID.values, weights)
    assert np.allclose(found.accumulated, uncentred, atol=1e-12)
    assert np.allclose(found.effect, centred, atol=1e-12)
    assert found.n_model_rows == model.rows == 2 * len(X)
    assert found.n.sum() == len(X)
    assert found.n[0] == 0
    assert found.mass.sum() == pytest.approx(len(X))
    assert found.source == "differences"
    assert found.kind == "ale"
    assert found.centred


def test_uncentred():
    found = accumulated_effect(smooth, X, 0, GRID, centre=False)
    assert np.array_equal(found.effect, found.accumulated)
    assert (found.effect[:, 0] == 0).all()
    assert (found.lower[:, 0] == 0).all()


def test_whole_numbers_and_ties_on_edges():
    rounded = np.round(2 * X)
    grid = numeric_grid(rounded[:, 0], 30)
    assert grid.exact
    found = accumulated_effect(smooth, rounded, 0, grid, sample_weight=WEIGHTS)
    assert np.allclose(found.effect, brute(smooth, rounded, 0, grid.values, WEIGHTS)[1], atol=1e-12)
    answers = smooth(rounded)
    known = accumulated_effect(smooth, rounded, 0, grid, sample_weight=WEIGHTS, batches=BatchOptions(predicted=answers))
    assert np.array_equal(known.effect, found.effect)
    assert known.n_model_rows == found.n_model_rows / 2


def test_a_linear_model_gives_its_line_exactly():
    found = accumulated_effect(linear, X, 2, numeric_grid(X[:, 2], 7))
    assert np.allclose(found.effect, 3 * (found.grid.values - X[:, 2].mean()))
    # all it does not know is the mean of the feature, from which it is measured
    half = stats.t.ppf(0.975, len(X) - 6) * 3 * X[:, 2].std(ddof=1) / np.sqrt(len(X))
    assert np.allclose(found.upper - found.effect, half)
    assert np.allclose(found.effect - found.lower, half)


def test_correlation_is_left_out():
    # f = x₂ where x₂ follows x₁: a local effect of x₁ is nil, unlike a conditional mean
    found = accumulated_effect(lambda rows: rows[:, 1], X, 0, GRID)
    assert np.array_equal(found.effect, np.zeros((1, len(GRID))))


def test_rows_outside_or_missing_take_no_part():
    holed = X.copy()
    holed[:30, 0] = np.nan
    grid = custom_grid([-0.5, 0.0, 0.5, np.nan], holed[:, 0])
    found = accumulated_effect(smooth, holed, 0, grid)
    inside = np.abs(holed[:, 0]) <= 0.5
    assert found.n.sum() == inside.sum()
    assert not found.grid.missing
    assert np.isnan(found.position).sum() == len(X) - inside.sum()
    assert any("take no part" in note for note in found.notes)
    assert np.allclose(found.effect, brute(smooth, holed, 0, np.array([-0.5, 0, 0.5]), np.ones(len(X)))[1])


def test_an_empty_bin_is_flat_and_said():
    gap = X.copy()
    gap[:, 0] = np.where(gap[:, 0] > 0, gap[:, 0] + 10, gap[:, 0] - 10)
    grid = custom_grid([gap[:, 0].min(), -5, 5, gap[:, 0].max()], gap[:, 0])
    found = accumulated_effect(smooth, gap, 0, grid)
    assert (found.accumulated[:, 2] == found.accumulated[:, 1]).all()
    assert "1 of 3 bins has no row" in found.notes[0]
    assert np.isfinite(found.lower).all()


@pytest.mark.parametrize("interval", [Interval(), Interval("bootstrap", replicates=30, random_state=3)])
@pytest.mark.parametrize("centre", [True, False])
def test_reweighting_equals_a_fresh_run(interval, centre):
    fresh = accumulated_effect(smooth, X, 0, GRID, sample_weight=WEIGHTS, interval=interval, centre=centre)
    moved = accumulated_effect(smooth, X, 0, GRID, interval=interval, centre=centre).reweighted(WEIGHTS)
    for name in ("effect", "lower", "upper", "mass", "accumulated"):
        assert np.allclose(getattr(moved, name), getattr(fresh, name), rtol=0, atol=1e-12), name
    assert moved.n_model_rows == 0
    emptied = moved.reweighted(X[:, 0] > 0, Interval(confidence=0.5))
    assert any("no weight" in note for note in emptied.notes)


@pytest.mark.slow
def test_intervals_agree_and_cover():
    bootstrap = Interval("bootstrap", replicates=1500, random_state=0)
    drawn = accumulated_effect(smooth, X, 0, GRID, interval=bootstrap)
    analytic = accumulated_effect(smooth, X, 0, GRID)
    assert drawn.upper - drawn.lower == pytest.approx(analytic.upper - analytic.lower, rel=0.25)
    edges = custom_grid(np.linspace(-1.5, 1.5, 7), X[:, 0])
    # E[f(z₆) − f(z₀)] accumulates ∂f/∂x₁ = cos x₁ + E[x₂ | x₁] = cos x₁ + x₁/2
    truth = 2 * np.sin(1.5)
    hits = 0
    for seed in range(200):
        found = accumulated_effect(smooth, data(400, seed=seed), 0, edges, centre=False)
        hits += found.lower[0, -1] <= truth <= found.upper[0, -1]
    assert 0.9 <= hits / 200 <= 0.99


@pytest.mark.parametrize("weights", [np.ones(len(X)), WEIGHTS])
@pytest.mark.parametrize("centre", [True, False])
def test_the_variance_is_that_of_the_rows_own_shares(weights, centre):
    edges, share = GRID.values, weights / weights.sum()
    found = accumulated_effect(smooth, X, 0, GRID, sample_weight=weights, centre=centre)
    size = 1 / (share**2).sum()
    mean_error = np.zeros((2, len(X)))
    if centre:
        heights = np.stack([np.interp(X[:, 0], edges, curve) for curve in found.accumulated])
        mean_error = np.sqrt(size / (size - 1)) * share * (heights - (heights @ share)[:, None])
    past = [(share * np.clip((X[:, 0] - low) / (high - low), 0, 1)).sum() for low, high in itertools.pairwise(edges)]
    for g in range(len(edges)):
        moved = -mean_error.copy()
        for k in range(len(edges) - 1):
            rows = found.local.row[found.local.group == k]
            change, w = found.local.values[:, found.local.group == k], weights[rows] / weights[rows].sum()
            n = 1 / (w**2).sum()
            of_bin = np.sqrt(n / (n - 1)) * w * (change - (change @ w)[:, None])
            moved[:, rows] += ((k < g) - (past[k] if centre else 0)) * of_bin
        half = stats.t.ppf(0.975, size - 10) * np.sqrt((moved**2).sum(axis=1))
        assert found.upper[:, g] - found.effect[:, g] == pytest.approx(half)


@pytest.mark.slow
@pytest.mark.parametrize("tilted", [False, True])
@pytest.mark.parametrize("interval", [Interval(), Interval("bootstrap", random_state=0)])
@pytest.mark.parametrize("kind", ["line", "ale", "dale"])
def test_centred_intervals_cover(kind, interval, tilted):
    edges = np.linspace(-1.5, 1.5, 7)
    grid = custom_grid(edges, X[:, 0])
    # under weights exp(x₂ / 2) both features are as normal as before, at means 1/4 and 1/2
    shift = 0.25 if tilted else 0.0
    if kind == "line":
        curve = 2 * (edges - edges[0])
    else:
        in_bin = [stats.truncnorm(a - shift, b - shift, shift) for a, b in itertools.pairwise(edges)]
        second = 0.5 * np.array([1.5 * shift + one.mean() / 2 for one in in_bin])
        first = 0.5 * np.array([one.expect(np.cos) for one in in_bin]) if kind == "dale" else np.diff(np.sin(edges))
        curve = np.append(0, np.cumsum(first + second))
    inside = stats.truncnorm(-1.5 - shift, 1.5 - shift, shift)
    truth = curve - inside.expect(lambda x: np.interp(x, edges, curve))
    hits = []
    for seed in range(300):
        rows = data(500, seed=seed)
        options = {"sample_weight": np.exp(rows[:, 1] / 2) if tilted else None, "interval": interval}
        if kind == "dale":
            slopes = np.cos(rows[:, 0]) + rows[:, 1]
            found = derivative_effect(rows, 0, grid, gradient=slopes, **options)
        else:
            model = (lambda rows: 2 * rows[:, 0]) if kind == "line" else (lambda rows: smooth(rows)[:, 0])
            found = accumulated_effect(model, rows, 0, grid, **options)
        hits.append((found.lower[0] <= truth) & (truth <= found.upper[0]))
    assert 0.92 <= np.mean(hits) <= 0.98


def test_rows_alike_are_asked_once():
    doubled = np.concatenate([X, X[::-1]])
    once, twice = accumulated_effect(smooth, X, 0, GRID), accumulated_effect(smooth, doubled, 0, GRID)
    assert twice.n_model_rows == once.n_model_rows
    assert np.allclose(twice.effect, once.effect, atol=1e-12)


def test_a_stopped_run_says_so():
    batches = BatchOptions(batch_rows=60, progress=lambda done, total: done >= 240)
    part = accumulated_effect(smooth, X, 0, GRID, batches=batches)
    assert (part.status, part.n_done, part.n_total) == ("stopped", 120, 240)
    assert part.n.sum() == 120
    kept = np.sort(part.local.row)
    holed = np.full((240, 4), np.nan)
    holed[kept] = X[kept]
    assert np.allclose(part.accumulated, accumulated_effect(smooth, holed, 0, GRID).accumulated)


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (category_grid(np.arange(2.0)), "use accumulated_levels"),
        (custom_grid([1.0], X[:, 0]), "at least two edges"),
    ],
)
def test_bad_grids_are_said(grid, message):
    with pytest.raises(InputError, match=message):
        accumulated_effect(smooth, X, 0, grid)
