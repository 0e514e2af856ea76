import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog, minimize_scalar
from scipy.special import logsumexp

from tauscope.effects import DensityRatio, KullbackLeibler, SortedMeans, TotalVariation
from tauscope.errors import InputError
from tauscope.weights.kl_maximum import maximize_mean, maximize_means
from tauscope.weights.measures import kullback_leibler, total_variation


def draw(seed, n=40, ties=False, zeros=False):
    random = np.random.default_rng(seed)
    values = random.normal(size=n)
    if ties:
        values = np.round(values)
    base = random.exponential(size=n)
    if zeros:
        base[: n // 4] = 0
    return values, base


def program(values, base, *, epsilon=None, cap=None, sign=1):
    """Highest (sign 1) or lowest mean by linear programming: w = b + p − m."""
    n, b = len(values), base / base.sum()
    cost = -sign * np.concatenate([values, -values])
    room = np.full(n, 1.0) if cap is None else (cap - 1) * b
    A_ub, b_ub = (None, None) if epsilon is None else (np.concatenate([np.ones(n), np.zeros(n)])[None], [epsilon])
    found = linprog(
        cost,
        A_ub=A_ub,
        b_ub=b_ub,
        A_eq=np.concatenate([np.ones(n), -np.ones(n)])[None],
        b_eq=[0],
        bounds=[(0, r) for r in room] + [(0, m) for m in b],
        method="highs",
    )
    assert found.status == 0
    return b @ values - sign * found.fun


CASES = [(seed, ties, zeros) for seed in range(3) for ties in (False, True) for zeros in (False, True)]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "ties", "zeros"), CASES)
@pytest.mark.parametrize("epsilon", [0.0, 0.003, 0.1, 0.5, 0.95, 1.0])
def test_total_variation_equals_the_linear_program_and_is_attained(seed, ties, zeros, epsilon):
    values, base = draw(seed, ties=ties, zeros=zeros)
    ball = TotalVariation(epsilon)
    lower, upper = ball.means(values[:, None], base)
    for side, found, sign in (("lower", lower[0], -1), ("upper", upper[0], 1)):
        assert found == pytest.approx(program(values, base, epsilon=epsilon, sign=sign), abs=1e-9)
        weights = ball.weights(values, base, side)
        assert weights.min() >= 0
        assert weights.mean() == pytest.approx(1, abs=1e-12)
        assert total_variation(weights, base) <= epsilon + 1e-12
        assert np.average(values, weights=weights) == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(("seed", "ties", "zeros"), CASES)
@pytest.mark.parametrize("cap", [1.0, 1.02, 2.0, 7.5, 1e6])
@pytest.mark.slow
def test_density_ratio_equals_the_linear_program_and_is_attained(seed, ties, zeros, cap):
    values, base = draw(seed, ties=ties, zeros=zeros)
    ball = DensityRatio(cap)
    lower, upper = ball.means(values[:, None], base)
    for side, found, sign in (("lower", lower[0], -1), ("upper", upper[0], 1)):
        assert found == pytest.approx(program(values, base, cap=cap, sign=sign), abs=1e-9)
        weights = ball.weights(values, base, side)
        assert weights.mean() == pytest.approx(1, abs=1e-12)
        assert np.all(weights / weights.sum() <= cap * base / base.sum() + 1e-12)
        assert np.average(values, weights=weights) == pytest.approx(found, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "ties", "zeros"), CASES)
@pytest.mark.parametrize("rho", [0.0, 1e-8, 1e-3, 0.2, 1.0, 3.0, 50.0])
def test_kullback_leibler_equals_its_dual_and_is_attained(seed, ties, zeros, rho):
    values, base = draw(seed, ties=ties, zeros=zeros)
    ball = KullbackLeibler(rho)
    lower, upper = ball.means(values[:, None], base)
    used = base > 0
    for side, found, v in (("lower", -lower[0], -values), ("upper", upper[0], values)):
        # sup Σ w v = inf over λ of λρ + λ log Σ b exp(v/λ)
        log_b, inside = np.log(base[used] / base.sum()), v[used]
        dual = minimize_scalar(
            lambda log_l, a=inside, b=log_b: np.exp(log_l) * (rho + logsumexp(a / np.exp(log_l), b=np.exp(b))),
            bounds=(-25, 14),
            method="bounded",
            options={"xatol": 1e-10},
        ).fun
        assert found == pytest.approx(dual, abs=1e-5)
        assert found <= dual + 1e-9
        weights = ball.weights(values, base, side)
        assert weights.mean() == pytest.approx(1, abs=1e-12)
        assert kullback_leibler(weights, base) <= rho * (1 + 1e-9) + 1e-12
        assert np.average(v, weights=weights) == pytest.approx(found, abs=1e-9)


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30),
    st.integers(0, 2**31),
    st.floats(0, 1),
    st.floats(1, 50),
    st.floats(0, 5),
)
def test_no_reweighting_leaves_its_band(numbers, seed, epsilon, cap, rho):
    values = np.array(numbers)
    random = np.random.default_rng(seed)
    base = random.exponential(size=len(values))
    slack = 1e-9 * (1 + np.abs(values).max())
    for _ in range(10):
        weights = base * np.exp(random.normal(size=len(values)) * random.choice([0.01, 0.3, 3]))
        mean = np.average(values, weights=weights)
        tv = total_variation(weights, base)
        ratio = np.max(weights / weights.sum() / (base / base.sum()))
        for ball in (
            TotalVariation(min(1.0, tv)),
            TotalVariation(max(epsilon, min(1.0, tv))),
            DensityRatio(max(1.0, ratio)),
            DensityRatio(max(cap, ratio)),
            KullbackLeibler(kullback_leibler(weights, base)),
            KullbackLeibler(max(rho, kullback_leibler(weights, base))),
        ):
            lower, upper = ball.means(values[:, None], base)
            assert lower[0] - slack <= mean <= upper[0] + slack


def test_many_distances_from_one_sort():
    values, base = draw(0)
    sorted_means = SortedMeans(np.column_stack([values, -(values**2)]), base)
    shares = np.array([0.0, 0.2, 0.7])
    lower, upper = sorted_means.tv_range(shares)
    for share, low, high in zip(shares, lower, upper, strict=True):
        expected = TotalVariation(share).means(np.column_stack([values, -(values**2)]), base)
        assert np.allclose([low, high], expected, atol=1e-14)
    assert np.allclose(lower[0], upper[0])
    assert np.allclose(sorted_means.mean(), lower[0])


def test_extremes_cover_replaced_rows():
    values, base = draw(1)
    lower, upper = TotalVariation(0.3).means(values[:, None], base, (-9.0, 9.0))
    # replace the mass 0.3 of highest (lowest) values by rows answered -9 (9)
    order = np.argsort(-values)
    mass = base[order] / base.sum()
    left = mass - np.clip(0.3 - (np.cumsum(mass) - mass), 0, mass)
    assert lower[0] == pytest.approx(left @ values[order] - 0.3 * 9)
    assert upper[0] > TotalVariation(0.3).means(values[:, None], base)[1][0]


def test_a_large_offset_costs_no_digits():
    values, base = draw(2)
    plain = TotalVariation(0.1).means(values[:, None], base)
    moved = TotalVariation(0.1).means(values[:, None] + 1e9, base)
    assert np.allclose(np.array(moved) - 1e9, plain, atol=1e-6)


def test_equal_values_do_not_move():
    for ball in (TotalVariation(0.5), KullbackLeibler(1.0), DensityRatio(3)):
        lower, upper = ball.means(np.full((5, 1), 2.5), np.ones(5))
        assert (lower[0], upper[0]) == pytest.approx((2.5, 2.5), abs=1e-14)
        assert ball.label.startswith("every reweighting of these rows")


@pytest.mark.parametrize("rare", [1e-3, 1e-30, 1e-300])
@pytest.mark.parametrize("spread", [1e-200, 1.0, 1e200])
def test_tilt_towards_a_rare_value(rare, spread):
    values, base = spread * np.array([0.0, 1.0, 0.999]), np.array([1.0, rare, rare])
    maximum = maximize_mean(values, base, 0.5)
    assert maximum.distance == pytest.approx(0.5, rel=1e-9)
    assert maximum.mean == pytest.approx(maximum.mass @ values, rel=1e-9)
    assert kullback_leibler(maximum.mass, base) == pytest.approx(0.5, rel=1e-9)


def test_tilt_at_the_limit_puts_all_mass_on_the_highest():
    maximum = maximize_mean(np.array([0.0, 1, 1, 5]), np.array([1.0, 1, 1, 0]), 10.0)
    assert maximum.mass.tolist() == [0, 0.5, 0.5, 0]
    assert maximum.mean == 1
    assert maximum.distance == pytest.approx(np.log(1.5))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TotalVariation(1.2), r"epsilon must lie in \[0, 1\], got 1.2"),
        (lambda: TotalVariation(-0.1), "epsilon must lie"),
        (lambda: TotalVariation(np.nan), "epsilon must lie"),
        (lambda: KullbackLeibler(-1), "rho must be"),
        (lambda: KullbackLeibler(np.inf), "rho must be"),
        (lambda: DensityRatio(0.5), "cap must be at least 1"),
        (lambda: KullbackLeibler(1).means(np.ones((2, 1)), np.ones(2), (0, 1)), "only total variation covers"),
        (lambda: DensityRatio(2).means(np.ones((2, 1)), np.ones(2), (0, 1)), "only total variation covers"),
        (lambda: SortedMeans(np.ones((2, 1)), np.zeros(2)), "rows with weight"),
    ],
)
def test_bad_balls_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("rho", [0.0, 1e-6, 0.05, 1.0, 6.0, 50.0])
@pytest.mark.parametrize("zeros", [False, True])
def test_several_quantities_are_tilted_as_each_alone(rho, zeros):
    random = np.random.default_rng(3)
    base = random.exponential(size=60)
    base[::7] *= 0 if zeros else 1
    values = np.column_stack(
        [random.normal(size=60), np.full(60, 2.0), random.random(60) < 0.2, 1e6 + random.random(60)]
    )
    together = maximize_means(values, base, rho)
    for column, found in zip(values.T, together, strict=True):
        alone = maximize_mean(column, base, rho)
        assert found == pytest.approx(alone.mean, rel=1e-12)
        assert alone.mass @ column == pytest.approx(alone.mean, rel=1e-11)
        assert alone.mass.sum() == pytest.approx(1)
        assert alone.distance <= rho + 1e-9
