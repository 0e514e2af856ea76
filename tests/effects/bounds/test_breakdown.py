import numpy as np
import pytest
from scipy.optimize import linprog

from effects.models import data, smooth
from tauscope.effects import (
    BatchOptions,
    accumulated_effect,
    accumulated_levels,
    breakdown,
    category_grid,
    conditional_dependence,
    curve_shift,
    custom_grid,
    numeric_grid,
    partial_dependence,
    quantile_points,
)
from tauscope.errors import InputError
from tauscope.weights.measures import total_variation

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 11)


def product(rows):
    return rows[:, 0] * (0.5 + rows[:, 1])


def program(d, base):
    """Smallest mass to move so that the mean of d is not positive: min Σ lost, b − lost + gained."""
    n, b = len(d), base / base.sum()
    found = linprog(
        np.concatenate([np.ones(n), np.zeros(n)]),
        A_ub=np.concatenate([-d, d])[None],
        b_ub=[-(b @ d)],
        A_eq=np.concatenate([np.ones(n), -np.ones(n)])[None],
        b_eq=[0],
        bounds=[(0, m) for m in b] + [(0, None)] * n,
        method="highs",
    )
    return found.fun if found.status == 0 else np.inf


@pytest.mark.parametrize("between", [(2, 8), (8, 2), (0, 10), (4, 5)])
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_partial_dependence_equals_the_linear_program(between, weights):
    effect = partial_dependence(product, X, (0,), (GRID,), sample_weight=weights)
    found = breakdown(effect, between)
    d = effect.ice[0][:, between[1]] - effect.ice[0][:, between[0]]
    base = np.ones(240) if weights is None else WEIGHTS
    sign = np.sign(np.average(d, weights=base))
    assert found.epsilon == pytest.approx(program(sign * d, base), abs=1e-9)
    assert found.difference == pytest.approx(np.average(d, weights=base))
    assert total_variation(found.weights, effect.sample_weight) == pytest.approx(found.epsilon, abs=1e-9)
    moved = effect.reweighted(found.weights).effect[0]
    assert moved[between[1]] - moved[between[0]] == pytest.approx(0, abs=1e-9)
    assert found.exact
    assert (found.status, found.of) == ("attained", "rows")
    lost = (effect.sample_weight - found.weights)[found.lost]
    assert np.all(np.diff(lost) <= 1e-12)
    assert np.all(lost > 0)
    assert len(found.gained) == 1
    assert found.gained[0] == np.argmin(sign * d)
    assert curve_shift(effect, found.weights).inside


def test_two_rows_by_hand():
    rows = np.array([[0.0, 3.0], [1.0, -1.0]])
    effect = partial_dependence(lambda r: r[:, 0] * r[:, 1], rows, (0,), (numeric_grid(rows[:, 0]),))
    found = breakdown(effect, (0, 1))
    # d = (3, −1): mean 1; moving ε from the first to the second lowers it by 4ε
    assert found.epsilon == pytest.approx(0.25)
    assert found.weights == pytest.approx([0.5, 1.5])
    assert found.lost.tolist() == [0]


def test_what_cannot_flip_is_said():
    effect = partial_dependence(lambda r: np.exp(r[:, 0]) + r[:, 1], X, (0,), (GRID,))
    found = breakdown(effect, (2, 8))
    assert found.epsilon == np.inf
    assert found.weights is None
    assert not found.exact
    assert (found.status, found.of) == ("never", "rows")
    flat = breakdown(partial_dependence(lambda r: r[:, 1], X, (0,), (GRID,)), (2, 8))
    assert flat.epsilon == 0
    assert flat.status == "equal"


def test_other_responses_and_stopped_runs():
    effect = partial_dependence(lambda r: np.column_stack([smooth(r)[:, 0], product(r)]), X, (0,), (GRID,))
    assert breakdown(effect, (2, 8), output=1).epsilon == pytest.approx(
        breakdown(partial_dependence(product, X, (0,), (GRID,)), (2, 8)).epsilon
    )
    batches = BatchOptions(batch_rows=660, progress=lambda done, total: True)
    part = partial_dependence(product, X, (0,), (GRID,), batches=batches)
    found = breakdown(part, (2, 8))
    assert found.weights[np.setdiff1d(np.arange(240), part.ice_rows)].sum() == 0
    moved = part.reweighted(found.weights).effect[0]
    assert moved[8] == pytest.approx(moved[2], abs=1e-9)


@pytest.mark.parametrize("between", [(2, 8), (8, 2), (3, 4)])
def test_accumulated_effects(between):
    effect = accumulated_effect(product, X, 0, GRID, sample_weight=WEIGHTS)
    found = breakdown(effect, between)
    shift = curve_shift(effect, found.weights)
    curve = shift.after.accumulated[0]
    assert curve[between[1]] == pytest.approx(curve[between[0]], abs=1e-9)
    within = slice(min(between), max(between))
    assert np.nanmax(shift.group_tv) == pytest.approx(found.epsilon, abs=1e-9)
    assert np.allclose(shift.group_tv[within], found.epsilon, atol=1e-9)
    assert found.exact
    steep = accumulated_effect(lambda r: np.exp(r[:, 0]), X, 0, GRID)
    assert breakdown(steep, between).epsilon == np.inf
    assert (breakdown(steep, between).status, found.of) == ("never", "bins")
    assert breakdown(accumulated_effect(lambda r: r[:, 1], X, 0, GRID), between).epsilon == 0


def test_levels():
    random = np.random.default_rng(0)
    rows = np.column_stack([np.arange(240) % 3, random.normal(size=240)]).astype(float)
    effect = accumulated_levels(product, rows, 0, category_grid(rows[:, 0]), ordered=True)
    neighbours, ends = breakdown(effect, (0, 1)), breakdown(effect, (0, 2))
    assert neighbours.exact
    moved = effect.reweighted(neighbours.weights).accumulated[0]
    assert moved[1] == pytest.approx(0, abs=1e-9)
    assert not ends.exact
    assert ends.weights is None
    assert 0 < ends.epsilon < 1


def test_conditional_dependence_is_safe_below():
    effect = conditional_dependence(product, X, (0,), (GRID,), sample_weight=WEIGHTS)
    found = breakdown(effect, (3, 7))
    assert 0 < found.epsilon < 1
    assert not found.exact
    random = np.random.default_rng(0)
    for _ in range(300):
        weights = WEIGHTS * np.exp(random.normal(size=240) * random.choice([0.05, 0.5, 3]))
        if total_variation(weights, WEIGHTS) < found.epsilon:
            moved = effect.reweighted(weights).effect[0]
            assert np.sign(moved[7] - moved[3]) == np.sign(found.difference)
    apart = conditional_dependence(lambda r: np.sign(r[:, 0]) * 50 + r[:, 1], X, (0,), (GRID,))
    assert breakdown(apart, (1, 9)).epsilon == np.inf
    assert breakdown(conditional_dependence(lambda r: 0 * r[:, 0], X, (0,), (GRID,)), (1, 9)).epsilon == 0


def test_points_at_quantiles():
    assert quantile_points(GRID, X[:, 0]) == (2, 8)
    holed = np.append(X[:, 0], np.nan)
    assert quantile_points(numeric_grid(holed, 11), holed, (0.1, 0.9)) == (1, 9)
    with pytest.raises(InputError, match="both nearest"):
        quantile_points(custom_grid([0, 99], X[:, 0]), X[:, 0])
    with pytest.raises(InputError, match="levels have no quantiles"):
        quantile_points(category_grid(np.arange(3.0)), np.arange(3.0))


@pytest.mark.parametrize(
    ("between", "output", "message"),
    [((3, 3), 0, "two different grid points"), ((0, 11), 0, "of 0 … 10"), ((0, 1), 1, "output must be one of 0 … 0")],
)
def test_bad_requests_are_said(between, output, message):
    with pytest.raises(InputError, match=message):
        breakdown(partial_dependence(product, X, (0,), (GRID,)), between, output=output)


def test_two_features_have_no_breakdown():
    with pytest.raises(InputError, match="one feature, got an effect of two"):
        breakdown(partial_dependence(product, X, (0, 1), (GRID, GRID)), (0, 1))


def test_a_point_without_rows_is_said():
    effect = conditional_dependence(product, X, (0,), (custom_grid([0, 50], X[:, 0]),))
    with pytest.raises(InputError, match="one has none"):
        breakdown(effect, (0, 1))
