"""Curves of groups of rows against the same curve of those rows alone, and where there is none."""

import numpy as np
import pytest

from effects.models import Counting, data, smooth
from tauscope.effects import (
    BatchOptions,
    CurveOfRows,
    Interval,
    Nearest,
    Window,
    accumulated_effect,
    accumulated_levels,
    accumulated_surface,
    category_grid,
    conditional_dependence,
    custom_grid,
    derivative_effect,
    numeric_grid,
    partial_dependence,
)
from tauscope.effects.curves.accumulated import bin_edges
from tauscope.effects.curves.by_group import curve_of_sums
from tauscope.effects.curves.sums import (
    bin_sums,
    conditional_sums,
    dependence_sums,
    effect_of_bins,
    effect_of_groups,
)
from tauscope.errors import InputError
from tauscope.prediction.rows import as_rows

X = data(120)
X[:, 3] = np.round(X[:, 3]).clip(-1, 1)
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GROUP = X[:, 1] > 0.3
GRID = numeric_grid(X[:, 0], 6)
LEVELS = category_grid(X[:, 3])


def of_kind(kind, rows, predict=smooth, **options):
    if kind == "pd":
        return partial_dependence(predict, rows, (0,), (GRID,), **options)
    if kind == "cd":
        return conditional_dependence(predict, rows, (0,), (GRID,), neighbourhood=Window(0.4), **options)
    if kind == "ale":
        return accumulated_effect(predict, rows, 0, GRID, **options)
    if kind == "dale":
        return derivative_effect(rows, 0, GRID, predict=predict, step=1e-4, **options)
    return accumulated_levels(predict, rows, 3, LEVELS, categorical=frozenset({3}), ordered=True, **options)


@pytest.mark.parametrize("kind", ["pd", "cd", "ale", "dale", "levels"])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_it_is_the_curve_of_those_rows_alone(kind, weights):
    model = Counting(smooth)
    whole = of_kind(kind, X, model, sample_weight=weights)
    asked = model.rows
    own = np.ones(GROUP.sum()) if weights is None else weights[GROUP]
    found = CurveOfRows(whole, GROUP).under(7 * own)
    alone = of_kind(kind, X[GROUP], sample_weight=own)
    assert model.rows == asked
    for name in ("effect", "lower", "upper"):
        assert getattr(found, name) == pytest.approx(getattr(alone, name), rel=1e-9, abs=1e-12, nan_ok=True), name
    assert found.n.tolist() == alone.n.tolist()


@pytest.mark.parametrize("kind", ["pd", "cd", "ale", "levels"])
def test_effective_rows_are_those_behind_each_point(kind):
    found = CurveOfRows(of_kind(kind, X), GROUP).under(WEIGHTS[GROUP])
    x, w = X[GROUP, 0], WEIGHTS[GROUP]
    behind = {
        "pd": [np.ones(len(w), bool)] * len(GRID),
        "cd": [np.abs(x - point) <= 0.4 for point in GRID.values],
        "ale": [x < x[0] - np.inf, x <= GRID.values[1]]
        + [(x > a) & (x <= b) for a, b in zip(GRID.values[1:-1], GRID.values[2:], strict=True)],
        "levels": [X[GROUP, 3] == level for level in LEVELS.values],
    }[kind]
    assert found.n.tolist() == [rows.sum() for rows in behind]
    sizes = [w[rows].sum() ** 2 / (w[rows] ** 2).sum() if rows.any() else 0.0 for rows in behind]
    assert found.ess == pytest.approx(sizes)


def test_at_another_level_the_ends_are_farther_out_and_the_curve_stays():
    curve = CurveOfRows(of_kind("pd", X), GROUP)
    own = WEIGHTS[GROUP]
    narrow, wide = curve.under(own), curve.under(own, 0.999)
    assert np.array_equal(narrow.effect, wide.effect)
    assert (wide.lower < narrow.lower).all()
    assert (wide.upper > narrow.upper).all()


def test_replicates_are_drawn_of_the_group_alone():
    interval = Interval("bootstrap", random_state=3)
    found = CurveOfRows(of_kind("pd", X, interval=interval), GROUP).under(np.ones(GROUP.sum()))
    alone = of_kind("pd", X[GROUP], interval=interval)
    assert found.lower == pytest.approx(alone.lower)


def test_a_run_that_was_stopped_gives_the_curve_of_the_rows_reached():
    batches = BatchOptions(batch_rows=len(GRID) * 10, progress=lambda done, total: done > total / 2)
    whole = of_kind("pd", X, batches=batches)
    assert not whole.complete
    reached = np.zeros(len(X), bool)
    reached[whole.ice_rows] = True
    found = CurveOfRows(whole, GROUP).under(np.ones(GROUP.sum()))
    assert found.effect == pytest.approx(of_kind("pd", X[GROUP & reached]).effect)
    assert set(found.n.tolist()) == {(GROUP & reached).sum()}


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_rows_without_answers_or_weight_have_no_curve(kind):
    whole = of_kind(kind, X)
    for found in (
        CurveOfRows(whole, GROUP).under(np.zeros(GROUP.sum())),
        CurveOfRows(whole, np.zeros(len(X), bool)).under(np.zeros(0)),
    ):
        assert np.isnan([found.effect, found.lower, found.upper]).all()
        assert not found.ess.any()


def test_what_is_said_is_of_the_group():
    far = X[:, 0] > np.median(X[:, 0])
    assert CurveOfRows(of_kind("cd", X), far).under(np.ones(far.sum())).notes == (
        "2 of 6 grid points have no row near them: there the curve has no value",
    )
    assert CurveOfRows(of_kind("pd", X), far).under(np.ones(far.sum())).notes == ()


def test_what_has_no_curve_of_some_rows_is_refused():
    with pytest.raises(InputError, match="individual curves were not kept"):
        CurveOfRows(partial_dependence(smooth, X, (0,), (GRID,), ice_bytes=0), GROUP)
    nearest = conditional_dependence(smooth, X, (0,), (GRID,), neighbourhood=Nearest(20))
    with pytest.raises(InputError, match="n_neighbors has no curve by group"):
        CurveOfRows(nearest, GROUP)
    grids = (custom_grid([-1.0, 0.0, 1.0], X[:, 0]), custom_grid([-1.0, 0.0, 1.0], X[:, 1]))
    for surface in (partial_dependence(smooth, X, (0, 1), grids), accumulated_surface(smooth, X, (0, 1), grids)):
        with pytest.raises(InputError, match="of one feature"):
            CurveOfRows(surface, GROUP)


def sums_of(kind, rows, weights):
    extremes = ((X[:, 0].min(), X[:, 0].max()),)
    options = {"batches": BatchOptions(), "weight": weights}
    if kind == "pd":
        return dependence_sums(smooth, as_rows(rows), (0,), (GRID,), **options)
    if kind == "cd":
        return conditional_sums(smooth, as_rows(rows), (0,), (GRID,), Window(0.4), extremes, **options)
    return bin_sums(smooth, as_rows(rows), 0, bin_edges(GRID), **options)


def of_sums(kind, inside, weights, **options):
    whole = sums_of(kind, X, None)
    if kind == "ale":
        effect = effect_of_bins(whole, 0, bin_edges(GRID), Interval(), len(X), 10)
    else:
        effect = effect_of_groups(whole, (0,), (GRID,), Interval(), len(X), 10)
    return curve_of_sums(sums_of(kind, X[inside], weights), effect, **options)


ODD = (np.arange(len(X)) % 2 == 1) & (X[:, 0] > GRID.values[2])
INSIDE = {"many": GROUP, "one": np.arange(len(X)) == 4, "empty bins": ODD}


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
@pytest.mark.parametrize("inside", INSIDE.values(), ids=INSIDE)
def test_sums_over_its_rows_give_the_same_curve(kind, inside):
    found = of_sums(kind, inside, 0.01 * WEIGHTS[inside], confidence=0.8)
    want = CurveOfRows(of_kind(kind, X), inside).under(WEIGHTS[inside], 0.8)
    for name in ("effect", "lower", "upper", "ess"):
        assert getattr(found, name) == pytest.approx(getattr(want, name), rel=1e-9, abs=1e-12, nan_ok=True), name
    assert (found.n.tolist(), found.notes) == (want.n.tolist(), want.notes)


@pytest.mark.parametrize("kind", ["pd", "cd", "ale"])
def test_sums_without_weight_give_none(kind):
    found = of_sums(kind, GROUP, np.zeros(GROUP.sum()), weighted=False)
    want = CurveOfRows(of_kind(kind, X), GROUP).under(np.zeros(GROUP.sum()))
    assert np.isnan([found.effect, found.lower, found.upper]).all()
    assert (found.n.tolist(), found.ess.tolist()) == (want.n.tolist(), want.ess.tolist())


@pytest.mark.parametrize("kind", ["cd", "ale"])
def test_points_where_a_group_has_no_weight_are_as_in_memory(kind):
    weights = WEIGHTS[GROUP] * (X[GROUP, 0] > GRID.values[3])
    found = of_sums(kind, GROUP, weights)
    want = CurveOfRows(of_kind(kind, X), GROUP).under(weights)
    for name in ("effect", "lower", "upper", "ess"):
        assert getattr(found, name) == pytest.approx(getattr(want, name), rel=1e-9, abs=1e-12, nan_ok=True), name
    assert found.notes == want.notes != ()
