import numpy as np
import pytest

from effects.models import Counting, data, smooth
from tauscope.effects import (
    BatchOptions,
    Interval,
    Nearest,
    Window,
    category_grid,
    conditional_dependence,
    custom_grid,
    numeric_grid,
    partial_dependence,
)
from tauscope.errors import InputError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 9)


def brute(near, values, weights, columns=(0,), X=X):
    """Mean over near[g] of the answer with the columns set: (q, G)."""
    curve = []
    for inside, point in zip(near, values, strict=True):
        copy = X[inside].copy()
        copy[:, list(columns)] = point
        curve.append(np.average(smooth(copy), axis=0, weights=weights[inside]))
    return np.array(curve).T


def test_window_by_definition():
    half = np.ptp(X[:, 0]) / 18
    near = [np.abs(X[:, 0] - g) <= half * (1 + 1e-9) for g in GRID.values]
    model = Counting(smooth)
    found = conditional_dependence(model, X, (0,), (GRID,), sample_weight=WEIGHTS)
    assert np.allclose(found.effect, brute(near, GRID.values, WEIGHTS), atol=1e-13)
    assert found.n.tolist() == [inside.sum() for inside in near]
    assert found.mass == pytest.approx([WEIGHTS[inside].sum() / WEIGHTS.mean() for inside in near])
    assert found.n_model_rows == model.rows == found.n.sum()
    assert found.kind == "cd"
    assert isinstance(found.neighbourhood, Window)


def test_a_tie_on_the_edge_is_inside_unless_strict():
    ties = np.column_stack([np.arange(19.0) / 10, np.zeros(19)])
    grid = custom_grid([0.3, 0.9], ties[:, 0])
    found = conditional_dependence(lambda rows: rows[:, 0], ties, (0,), (grid,), neighbourhood=Window(0.1))
    assert found.n.tolist() == [3, 3]
    strict = conditional_dependence(
        lambda rows: rows[:, 0], ties, (0,), (grid,), neighbourhood=Window(0.05, strict=True)
    )
    assert strict.n.tolist() == [1, 1]
    # .3 - .2 falls just under .1, .4 - .3 just over it: without slack rounding decides
    rounding = conditional_dependence(
        lambda rows: rows[:, 0], ties, (0,), (grid,), neighbourhood=Window(0.1, strict=True)
    )
    assert rounding.n.tolist() != [1, 1]


def test_nearest_by_definition():
    found = conditional_dependence(smooth, X, (0,), (GRID,), neighbourhood=Nearest(20))
    near = []
    for g in GRID.values:
        inside = np.zeros(len(X), dtype=bool)
        inside[np.argsort(np.abs(X[:, 0] - g))[:20]] = True
        near.append(inside)
    assert np.allclose(found.effect, brute(near, GRID.values, np.ones(len(X))), atol=1e-13)
    assert found.n.tolist() == [20] * 9


def test_nearest_takes_all_that_tie():
    tied = np.column_stack([np.repeat([0.0, 1.0, 5.0], 4), np.arange(12.0)])
    grid = numeric_grid(tied[:, 0])
    found = conditional_dependence(lambda rows: rows[:, 1], tied, (0,), (grid,), neighbourhood=Nearest(5))
    assert found.n.tolist() == [8, 8, 8]
    every = conditional_dependence(lambda rows: rows[:, 1], tied, (0,), (grid,), neighbourhood=Nearest(500))
    assert every.n.tolist() == [12, 12, 12]


def test_two_features():
    grids = (numeric_grid(X[:, 0], 4, percentiles=(0.2, 0.8)), numeric_grid(X[:, 1], 3, percentiles=(0.2, 0.8)))
    points = [(a, b) for a in grids[0].values for b in grids[1].values]
    found = conditional_dependence(smooth, X, (0, 1), grids, neighbourhood=Window(0.8))
    near = [(np.abs(X[:, 0] - a) <= 0.8) & (np.abs(X[:, 1] - b) <= 0.8) for a, b in points]
    assert np.allclose(found.effect.reshape(2, -1), brute(near, points, np.ones(len(X)), (0, 1)), atol=1e-13)
    scale = X[:, :2].std(axis=0)
    nearest = conditional_dependence(smooth, X, (0, 1), grids, neighbourhood=Nearest(15))
    near = []
    for point in points:
        away = (np.abs(X[:, :2] - point) / scale).max(axis=1)
        near.append(away <= np.sort(away)[14])
    assert np.allclose(nearest.effect.reshape(2, -1), brute(near, points, np.ones(len(X)), (0, 1)), atol=1e-13)


def test_an_empty_window_is_said_and_not_filled():
    grid = custom_grid([0.0, 50.0], X[:, 0])
    found = conditional_dependence(smooth, X, (0,), (grid,))
    assert np.isnan(found.effect[:, 1]).all()
    assert np.isnan(found.lower[:, 1]).all()
    assert found.n[1] == 0
    assert any("1 of 2 grid points have no row near them" in note for note in found.notes)
    nothing = conditional_dependence(smooth, X, (0,), (custom_grid([50.0], X[:, 0]),))
    assert np.isnan(nothing.effect).all()


def test_levels_and_missing_are_met_exactly():
    mixed = np.column_stack([np.array([0.0, 0, 1, 2, np.nan, np.nan]), np.arange(6.0)])
    grid = category_grid(mixed[:, 0])
    for neighbourhood in (Window(), Nearest(3)):
        found = conditional_dependence(lambda rows: rows[:, 1], mixed, (0,), (grid,), neighbourhood=neighbourhood)
        assert found.effect.tolist() == [[0.5, 2, 3, 4.5]]
    numeric = conditional_dependence(lambda rows: rows[:, 1], mixed, (0,), (numeric_grid(mixed[:, 0]),))
    assert numeric.effect.tolist() == [[0.5, 2, 3, 4.5]]


def test_a_window_over_everything_is_partial_dependence():
    everything = conditional_dependence(smooth, X, (0,), (GRID,), neighbourhood=Window(99), sample_weight=WEIGHTS)
    partial = partial_dependence(smooth, X, (0,), (GRID,), sample_weight=WEIGHTS)
    for name in ("effect", "lower", "upper"):
        assert np.allclose(getattr(everything, name), getattr(partial, name), atol=1e-12)


@pytest.mark.parametrize("interval", [Interval(), Interval("bootstrap", replicates=30, random_state=3)])
def test_reweighting_equals_a_fresh_run(interval):
    fresh = conditional_dependence(smooth, X, (0,), (GRID,), sample_weight=WEIGHTS, interval=interval)
    moved = conditional_dependence(smooth, X, (0,), (GRID,), interval=interval).reweighted(WEIGHTS)
    for name in ("effect", "lower", "upper", "mass"):
        assert np.allclose(getattr(moved, name), getattr(fresh, name), rtol=0, atol=1e-12, equal_nan=True), name
    assert moved.notes == fresh.notes
    assert moved.reweighted(WEIGHTS, Interval(confidence=0.5)).interval.confidence == 0.5


def test_bootstrap_is_near_the_analytic_interval():
    bootstrap = Interval("bootstrap", replicates=2000, random_state=0)
    drawn = conditional_dependence(smooth, X, (0,), (GRID,), interval=bootstrap)
    analytic = conditional_dependence(smooth, X, (0,), (GRID,))
    large = analytic.n > 20
    assert (drawn.upper - drawn.lower)[:, large] == pytest.approx((analytic.upper - analytic.lower)[:, large], rel=0.2)


def test_rows_alike_are_asked_once():
    doubled = np.concatenate([X, X[::-1]])
    twice = conditional_dependence(smooth, doubled, (0,), (GRID,))
    once = conditional_dependence(smooth, X, (0,), (GRID,))
    assert twice.n_model_rows == once.n_model_rows
    assert np.allclose(twice.effect, once.effect, atol=1e-13)


def test_a_stopped_run_says_so():
    batches = BatchOptions(batch_rows=100, progress=lambda done, total: done >= 200)
    part = conditional_dependence(smooth, X, (0,), (GRID,), batches=batches)
    assert part.status == "stopped"
    assert part.n_done < part.n_total
    assert part.n_model_rows == part.n.sum() < conditional_dependence(smooth, X, (0,), (GRID,)).n_model_rows


@pytest.mark.parametrize("call", [lambda: Window(0), lambda: Window(np.nan), lambda: Nearest(0)])
def test_bad_neighbourhoods_are_said(call):
    with pytest.raises(InputError, match=r"half_width|n_neighbors"):
        call()


def test_a_window_of_rows_without_weight_is_said():
    values = data()[:, 0]
    grid = numeric_grid(values, 9)
    effect = conditional_dependence(smooth, data(), (0,), (grid,), sample_weight=(values > np.median(values)) * 1.0)
    n = int(np.isnan(effect.effect[0]).sum())
    assert n > 0
    assert any(note.startswith(f"{n} of 9 grid points have only rows without weight") for note in effect.notes)


ALONE = np.where(np.arange(len(X)) == np.argsort(X[:, 0])[len(X) // 2], 1.0, 1e-6)


@pytest.mark.parametrize("of", [conditional_dependence, partial_dependence])
def test_fewer_than_two_effective_rows_have_no_interval_and_a_note(of):
    fresh = of(smooth, X, (0,), (GRID,), sample_weight=ALONE)
    moved = of(smooth, X, (0,), (GRID,)).reweighted(ALONE)
    bare = np.isnan(fresh.lower[0])
    assert bare.any()
    assert np.isfinite(fresh.effect).all()
    assert not (np.abs([fresh.lower, fresh.upper]) > 100).any()
    assert np.array_equal(bare, np.isnan(fresh.upper[0]))
    said = f"{bare.sum()} of 9 grid points rest on fewer than two effective rows: there is no interval"
    assert fresh.notes == moved.notes == (said,)
