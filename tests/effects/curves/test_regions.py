import numpy as np
import pytest

from effects.models import data, linear
from tauscope.effects import find_regions, heterogeneity, numeric_grid, partial_dependence
from tauscope.errors import InputError

X = data(600, 4)
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 9)


def crossing(rows):
    """Rises where the third feature is above .3, falls where not."""
    return np.where(rows[:, 2] > 0.3, 1, -1) * rows[:, 0] + 5 * rows[:, 1]


def run(predict, weights=None, rows=X):
    return partial_dependence(predict, rows, (0,), (GRID,), sample_weight=weights)


def test_spread_by_definition():
    effect = run(crossing, WEIGHTS)
    shapes = effect.ice - effect.ice.mean(axis=2, keepdims=True)
    mean = np.average(shapes, axis=1, weights=WEIGHTS)
    variance = np.average((shapes - mean[:, None]) ** 2, axis=1, weights=WEIGHTS)
    found = heterogeneity(effect)
    assert np.allclose(found.spread, np.sqrt(variance))
    assert np.allclose(found.overall, np.sqrt(variance.mean()))
    assert np.allclose(found.share, variance.sum() / np.average(shapes**2, axis=1, weights=WEIGHTS).sum())


def test_an_additive_model_has_none():
    found = heterogeneity(run(linear))
    assert np.allclose(found.spread, 0, atol=1e-12)
    assert found.share == pytest.approx([0], abs=1e-12)
    assert np.isnan(heterogeneity(run(lambda rows: rows[:, 1])).share).all()
    regions = find_regions(run(lambda rows: rows[:, 0] + 0 * rows[:, 1]), X)
    assert regions.regions == ()
    assert regions.status == "parallel"


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_split_that_tells_the_curves_apart(weights):
    effect = run(crossing, weights)
    found = find_regions(effect, X)
    below, above = found.regions
    assert found.column == 2
    assert found.level is None
    assert abs(found.threshold - 0.3) < 0.05
    assert found.reduction == pytest.approx(1)
    assert set(below.rows) == set(np.flatnonzero(X[:, 2] <= found.threshold))
    assert below.spread == pytest.approx(0, abs=1e-9)
    w = np.ones(600) if weights is None else weights
    for region in found.regions:
        assert region.share == pytest.approx(w[region.rows].sum() / w.sum())
        expected = np.average(effect.ice[0, region.rows], axis=0, weights=w[region.rows])
        assert np.allclose(region.effect, expected)
    assert np.all(np.diff(below.effect) < 0)
    assert np.all(np.diff(above.effect) > 0)
    assert found.spread == pytest.approx(heterogeneity(effect).overall[0])
    assert found.status == "split"


def test_reduction_by_definition():
    effect = run(lambda rows: rows[:, 0] * rows[:, 1])
    found = find_regions(effect, X)
    inside = sum(region.share * region.spread**2 for region in found.regions)
    assert found.column == 1
    assert found.reduction == pytest.approx(1 - inside / found.spread**2)


def test_levels_and_missing_values():
    random = np.random.default_rng(0)
    mixed = X.copy()
    mixed[:, 2] = random.integers(0, 4, 600)
    mixed[:, 3] = np.where(random.random(600) < 0.3, np.nan, mixed[:, 3])
    of_level = run(lambda rows: np.where(rows[:, 2] == 1, 1, -1) * rows[:, 0], rows=mixed)
    found = find_regions(of_level, mixed, categorical=frozenset({2}))
    assert (found.column, found.level, found.threshold) == (2, 1.0, None)
    assert set(found.regions[1].rows) == set(np.flatnonzero(mixed[:, 2] == 1))
    of_missing = run(lambda rows: np.where(np.isnan(rows[:, 3]), 1, -1) * rows[:, 0], rows=mixed)
    found = find_regions(of_missing, mixed, categorical=frozenset({2}))
    assert found.column == 3
    side = found.regions[0 if found.missing_first else 1]
    assert set(np.flatnonzero(np.isnan(mixed[:, 3]))) <= set(side.rows)


@pytest.mark.parametrize("far", [lambda x: x * 1e60, lambda x: 2.0**30 + x, lambda x: np.exp(200 * x)])
def test_numbers_that_float32_cannot_hold_split_as_others(far):
    split = find_regions(run(crossing), X)
    moved = X.copy()
    moved[:, 2] = far(X[:, 2])
    found = find_regions(run(crossing), moved)
    assert np.array_equal(found.regions[0].rows, split.regions[0].rows)
    assert np.array_equal(np.flatnonzero(moved[:, 2] <= found.threshold), found.regions[0].rows)


def test_other_responses_and_limits():
    effect = run(lambda rows: np.column_stack([rows[:, 0], crossing(rows)]))
    assert find_regions(effect, X, output=1).column == 2
    rare = run(lambda rows: np.where(rows[:, 2] > 2.2, 1, -1) * rows[:, 0])
    assert find_regions(rare, X, min_share=0.001).reduction > find_regions(rare, X, min_share=0.3).reduction
    noise = run(lambda rows: np.sin(1e3 * rows[:, 1]) * rows[:, 0])
    found = find_regions(noise, X, min_reduction=0.5)
    assert found.regions == ()
    assert (found.status, found.min_reduction) == ("small reduction", 0.5)
    assert 0 <= found.reduction < 0.5
    coded = np.column_stack([X[:, 0], np.arange(600) < 3]).astype(float)
    few = find_regions(run(lambda rows: rows[:, 0] * rows[:, 1], rows=coded), coded)
    assert (few.status, few.min_share) == ("small sides", 0.1)
    assert find_regions(run(crossing), X[:, :1]).status == "no other feature"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: find_regions(run(crossing), X, output=1), "output must be one of 0 … 0"),
        (lambda: find_regions(run(crossing), X[:5]), "one row for each of 600"),
        (lambda: find_regions(run(crossing), X, min_share=0), "min_share must lie"),
        (lambda: find_regions(run(crossing), X, min_reduction=2), "min_reduction must lie"),
        (lambda: heterogeneity(partial_dependence(linear, X, (0, 1), (GRID, GRID))), "one feature's curves"),
        (lambda: heterogeneity(partial_dependence(linear, X, (0,), (GRID,), ice_bytes=0)), "raise ice_bytes"),
    ],
)
def test_bad_requests_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()
