import numpy as np
import pytest

from effects.models import data, linear, smooth
from tauscope.effects import (
    DensityRatio,
    KullbackLeibler,
    Nearest,
    TotalVariation,
    Window,
    accumulated_effect,
    accumulated_levels,
    accumulated_surface,
    category_grid,
    certified_band,
    conditional_band,
    conditional_dependence,
    curve_shift,
    custom_grid,
    effect_bounds,
    lipschitz_from_value,
    numeric_grid,
    partial_dependence,
)
from tauscope.errors import InputError, InputTypeError

X = data()
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRID = numeric_grid(X[:, 0], 7)
LEVELS = np.column_stack([np.arange(240) % 3, X[:, 1:]]).astype(float)


def pd(**options):
    return partial_dependence(smooth, X, (0,), (GRID,), sample_weight=WEIGHTS, **options)


def cd(**options):
    return conditional_dependence(smooth, X, (0,), (GRID,), sample_weight=WEIGHTS, **options)


def ale(**options):
    return accumulated_effect(smooth, X, 0, GRID, sample_weight=WEIGHTS, **options)


def levels():
    grid = category_grid(LEVELS[:, 0])
    return accumulated_levels(lambda rows: smooth(rows)[:, 0], LEVELS, 0, grid, sample_weight=WEIGHTS, ordered=True)


BALLS = [TotalVariation(0.1), KullbackLeibler(0.1), DensityRatio(1.5)]


@pytest.mark.parametrize("ball", BALLS)
def test_the_band_of_partial_dependence_is_attained_point_by_point(ball):
    effect = pd()
    band = certified_band(effect, ball)
    for response in range(2):
        for point in range(7):
            for side in ("lower", "upper"):
                weights = ball.weights(effect.ice[response, :, point], WEIGHTS, side)
                moved = effect.reweighted(weights).effect[response, point]
                assert moved == pytest.approx(getattr(band, side)[response, point], abs=1e-9)
    assert band.certified
    assert band.attained
    assert band.covers == ball.label


@pytest.mark.parametrize("ball", BALLS)
@pytest.mark.parametrize("effect", [cd(), ale(), levels()], ids=["cd", "ale", "levels"])
def test_bands_by_window_and_bin_are_means_of_their_rows(effect, ball):
    groups = effect.local
    band = certified_band(effect, ball)
    low = np.zeros((effect.n_outputs, groups.n_groups))
    for g in range(groups.n_groups):
        inside = groups.group == g
        low[:, g] = ball.means(groups.values[:, inside].T, WEIGHTS[groups.row[inside]])[0]
    if effect.kind == "ale":
        low = effect.effect[:, :1] + np.concatenate([np.zeros((len(low), 1)), low.cumsum(axis=1)], axis=1)
    assert np.allclose(band.lower, low, atol=1e-12)
    assert band.attained == (effect.grid.kind != "categorical")


def test_two_features_are_bounded_too():
    grids = (numeric_grid(X[:, 0], 3), numeric_grid(X[:, 1], 4))
    effect = partial_dependence(smooth, X, (0, 1), grids)
    band = certified_band(effect, TotalVariation(0.2))
    expected = TotalVariation(0.2).means(effect.ice[1, :, 2, 3][:, None], np.ones(240))
    assert (band.lower[1, 2, 3], band.upper[1, 2, 3]) == pytest.approx((expected[0][0], expected[1][0]))
    assert effect_bounds(effect, 0.2).published.theorem.shape == (2, 3, 4)
    both = conditional_dependence(smooth, X, (0, 1), grids, neighbourhood=Nearest(20))
    assert effect_bounds(both, 0.2).certified.lower.shape == (2, 3, 4)


def test_published_bounds_by_hand():
    effect = pd()
    bounds = effect_bounds(effect, 0.1)
    largest = np.abs(effect.ice).max(axis=(1, 2))
    at_point, low, high = np.abs(effect.ice).max(axis=1), effect.ice.min(axis=1), effect.ice.max(axis=1)
    assert np.allclose(bounds.published.theorem, 0.2 * largest[:, None])
    assert np.allclose(bounds.published.pointwise, 0.2 * at_point)
    assert np.allclose(bounds.published.cap, np.maximum(high - effect.effect, effect.effect - low))
    assert np.allclose(bounds.published.oscillation, 0.1 * (high - low))
    assert np.allclose(bounds.paper.upper - effect.effect, np.minimum(0.2 * at_point, bounds.published.cap))
    assert bounds.output.source == "observed"
    assert "B is the largest answer seen" in bounds.notes[0]
    given = effect_bounds(partial_dependence(lambda r: smooth(r)[:, 1], X, (0,), (GRID,)), 0.1, output_range=(0, 1))
    assert np.allclose(given.published.theorem, 0.2)
    assert np.allclose(given.published.oscillation, 0.1)
    assert given.notes == ()
    assert given.output.source == "given"
    assert "replacing that share" in given.certified.covers


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.4, 1.0])
@pytest.mark.parametrize("effect", [pd(), cd(), ale()], ids=["pd", "cd", "ale"])
def test_the_sharp_band_lies_inside_the_others(effect, epsilon):
    bounds = effect_bounds(effect, epsilon, within_window=True)
    for outer in (bounds.oscillation, bounds.paper):
        assert np.all(bounds.certified.lower >= outer.lower - 1e-9)
        assert np.all(bounds.certified.upper <= outer.upper + 1e-9)
    assert bounds.epsilon == epsilon


def test_windows_multiply_the_distance_of_all_rows():
    effect = cd()
    everywhere = effect_bounds(effect, 0.05).certified
    inside = effect_bounds(effect, 0.05, within_window=True).certified
    assert np.all(everywhere.upper - everywhere.lower > inside.upper - inside.lower)
    assert np.allclose(everywhere.lower, conditional_band(effect, 0.05).lower)
    assert np.all(conditional_band(effect, 0.05).upper <= certified_band(effect, TotalVariation(1.0)).upper + 1e-12)


def test_theorem_4_4():
    effect = ale()
    widths = np.diff(GRID.values)
    steepest = np.abs(effect.local.values / widths[effect.local.group]).max(axis=1)
    bounds = effect_bounds(effect, 0.1)
    expected = 0.2 * steepest[:, None] * (GRID.values - GRID.values[0])
    assert np.allclose(bounds.paper.upper - effect.effect, expected)
    assert not bounds.paper.certified
    assert "over the rows" in bounds.notes[0]
    supplied = effect_bounds(effect, 0.1, lipschitz=lipschitz_from_value(3.0))
    assert np.allclose(supplied.paper.upper - effect.effect, 0.6 * (GRID.values - GRID.values[0]))
    assert supplied.paper.certified
    of_levels = effect_bounds(levels(), 0.1)
    assert of_levels.paper is None
    assert of_levels.lipschitz is None


@pytest.mark.slow
@pytest.mark.parametrize("effect", [pd(), cd(), ale(), ale(centre=False), levels()])
def test_no_reweighting_leaves_any_bound(effect):
    random = np.random.default_rng(5)
    for _ in range(60):
        weights = WEIGHTS * np.exp(random.normal(size=240) * random.choice([0.05, 0.5, 3]))
        shift = curve_shift(effect, weights)
        assert shift.inside
        for band in (shift.bounds.certified, shift.bounds.oscillation, shift.bounds.paper):
            if band is not None:
                assert np.all(effect.effect + shift.change >= band.lower - 1e-9)
                assert np.all(effect.effect + shift.change <= band.upper + 1e-9)


def test_what_is_observed():
    weights = WEIGHTS * (1 + (X[:, 1] > 0))
    shift = curve_shift(pd(), weights)
    b, w = WEIGHTS / WEIGHTS.sum(), weights / weights.sum()
    assert shift.tv == pytest.approx(0.5 * np.abs(w - b).sum())
    assert shift.kl == pytest.approx(np.sum(w * np.log(w / b)))
    assert shift.ess == pytest.approx(1 / np.sum(w**2))
    assert np.allclose(shift.after.effect, np.average(pd().ice, axis=1, weights=weights))
    assert np.allclose(shift.change, shift.after.effect - pd().effect)
    assert shift.group_tv is None
    assert shift.bounds.epsilon == shift.tv
    windowed, binned = curve_shift(cd(), weights), curve_shift(ale(), weights)
    inside = cd().local.row[cd().local.group == 3]
    assert windowed.group_tv[3] == pytest.approx(
        0.5 * np.abs(weights[inside] / weights[inside].sum() - WEIGHTS[inside] / WEIGHTS[inside].sum()).sum()
    )
    assert binned.group_tv.shape == (6,)
    assert "rows of each bin as far" in binned.bounds.certified.covers
    assert np.allclose(windowed.bounds.published.theorem[0], 2 * windowed.bounds.output.overall[0] * windowed.group_tv)


def test_weights_that_empty_bins_and_windows_are_survived():
    only = (X[:, 0] > 0).astype(float)
    for effect in (pd(), cd(), ale()):
        assert curve_shift(effect, only).inside


def test_xor_flips_under_the_smallest_shift():
    """Figure 1 of the paper: the curve of one input of XOR is set by the balance of the other."""
    xor = np.array([[a, b] for a in (0.0, 1) for b in (0.0, 1)] * 50)
    effect = partial_dependence(lambda r: np.abs(r[:, 0] - r[:, 1]), xor, (0,), (numeric_grid(xor[:, 0]),))
    assert effect.effect.tolist() == [[0.5, 0.5]]
    band = certified_band(effect, TotalVariation(0.25))
    assert np.allclose([band.lower, band.upper], [[[0.25, 0.25]], [[0.75, 0.75]]])
    shift = curve_shift(effect, np.where(xor[:, 1] == 1, 1.5, 0.5))
    assert shift.tv == pytest.approx(0.25, abs=1e-14)
    assert np.allclose(shift.after.effect, [[0.75, 0.25]])  # both edges of the band are reached at once
    assert np.allclose(shift.bounds.published.theorem, 0.5)
    exact = effect_bounds(effect, 0.25, output_range=(0, 1))
    assert np.allclose(exact.published.oscillation, 0.25)
    assert np.allclose(exact.published.theorem, 0.5)


def test_a_linear_model_moves_as_its_features_do():
    effect = partial_dependence(linear, X, (0,), (GRID,))
    weights = np.exp(0.3 * X[:, 2])
    shift = curve_shift(effect, weights)
    rest = X[:, 1:] @ [2, 3, 4]
    assert np.allclose(shift.change, np.average(rest, weights=weights) - rest.mean())
    assert np.ptp(shift.change) < 1e-12  # the curve keeps its shape
    bounds = effect_bounds(effect, 0.1)
    assert np.allclose(bounds.published.oscillation, 0.1 * np.ptp(rest))


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.0, 0.7])
def test_a_product_of_correlated_features(rho):
    """f = x₁x₂, E[x₂ | x₁] = ρ x₁: PD is flat, CD is ρx₁², the uncentred ALE is ρ(x₁² − z₀²)/2."""
    random = np.random.default_rng(0)
    first = random.normal(size=60_000)
    pair = np.column_stack([first, rho * first + np.sqrt(1 - rho**2) * random.normal(size=60_000)])
    grid = custom_grid(np.linspace(-1.5, 1.5, 13), first)
    product = lambda rows: rows[:, 0] * rows[:, 1]  # noqa: E731
    x = grid.values
    flat = partial_dependence(product, pair, (0,), (grid,))
    conditional = conditional_dependence(product, pair, (0,), (grid,), neighbourhood=Window(0.1))
    climbing = accumulated_effect(product, pair, 0, grid, centre=False)
    assert np.allclose(flat.effect[0], x * pair[:, 1].mean(), atol=1e-12)
    assert np.allclose(conditional.effect[0], rho * x**2, atol=0.06)
    assert np.allclose(climbing.effect[0], rho * (x**2 - x[0] ** 2) / 2, atol=0.03)
    # the answer at x is x·x₂: its spread, so the oscillation bound, grows with |x| and is nil at 0
    half = effect_bounds(flat, 0.1).published.oscillation[0]
    assert np.allclose(half, 0.1 * np.abs(x) * np.ptp(pair[:, 1]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: effect_bounds(pd(), 1.5), InputError, r"epsilon must lie in \[0, 1\], got 1.5"),
        (lambda: effect_bounds(pd(ice_bytes=0), 0.1), InputError, "raise ice_bytes"),
        (lambda: effect_bounds(pd(), 0.1, output_range=(0, 1)), InputError, "must hold every answer"),
        (lambda: effect_bounds(pd(), 0.1, output_range=(1, 0)), InputError, "first lower"),
        (lambda: effect_bounds(pd(), 0.1, output_range=(0, np.inf)), InputError, "two finite numbers"),
        (lambda: certified_band(cd(), BALLS[0], output_range=(-9, 9)), InputError, "only partial dependence"),
        (lambda: curve_shift(pd(), np.ones(3)), InputError, "one weight per row"),
        (
            lambda: effect_bounds(accumulated_surface(smooth, X, (0, 1), (GRID, GRID)), 0.1),
            InputTypeError,
            "got AccumulatedSurface",
        ),
    ],
)
def test_bad_requests_are_said(call, error, message):
    with pytest.raises(error, match=message):
        call()
