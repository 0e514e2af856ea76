"""Joint projections against the slow obvious definition, closed forms and normal theory."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import minimize
from scipy.spatial import ConvexHull
from scipy.special import ndtr

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError
from tauscope.stress.joint.hull import Hull
from tauscope.stress.joint.projection import Projection, project


def closest_weights(phi, target, base):
    """Shares q minimising Σ q log(q/b) with Σ q = 1 and Σ q Φ = t, straight from that definition."""
    z = (phi - target) / phi.std(axis=0)
    answer = minimize(
        lambda q: np.sum(q * np.log(q / base)),
        base,
        jac=lambda q: np.log(q / base) + 1,
        bounds=[(1e-15, 1)] * len(base),
        constraints=[
            {"type": "eq", "fun": lambda q: q.sum() - 1, "jac": lambda q: np.ones_like(q)},
            {"type": "eq", "fun": lambda q: q @ z, "jac": lambda q: z.T},
        ],
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    assert answer.success
    return answer.x


def random_case(seed, n=60, k=3):
    rng = np.random.default_rng(seed)
    phi = rng.normal(size=(n, k)) @ rng.normal(size=(k, k)) + rng.exponential(size=(n, k))
    base = rng.uniform(0.2, 2, size=n)
    return phi, rng.dirichlet(np.full(n, 0.7)) @ phi, base


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_agrees_with_the_primal_definition(seed, weighted):
    phi, target, base = random_case(seed)
    base = base if weighted else np.ones(len(phi))
    projection = project(phi, target, sample_weight=base if weighted else None)
    share = closest_weights(phi, target, base / base.sum())
    assert projection.status == "solved"
    np.testing.assert_allclose(projection.weights / len(phi), share, atol=2e-6)
    assert projection.kl == pytest.approx(np.sum(share * np.log(share * base.sum() / base)), abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_the_dual_definition(seed):
    phi, target, base = random_case(seed)
    base = base / base.sum()
    centred = phi - target
    answer = minimize(
        lambda xi: np.log(base @ np.exp(centred @ xi)), np.zeros(3), method="BFGS", options={"gtol": 1e-9}
    )
    projection = project(phi, target, sample_weight=base)
    np.testing.assert_allclose(projection.multipliers, answer.x, atol=1e-5)
    assert projection.kl == pytest.approx(-answer.fun, abs=1e-10)


columns = st.sampled_from(["normal", "lognormal", "integers", "indicator", "cauchy"])


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    kinds=st.lists(columns, min_size=1, max_size=5),
    n=st.integers(12, 400),
    seed=st.integers(0, 2**32 - 1),
    reach=st.floats(0.0, 0.95),
    weighted=st.booleans(),
)
def test_whatever_the_rows_allow_is_met(kinds, n, seed, reach, weighted):
    rng = np.random.default_rng(seed)
    draw = {
        "normal": lambda: rng.normal(size=n),
        "lognormal": lambda: np.exp(2 * rng.normal(size=n)),
        "integers": lambda: rng.integers(0, 5, size=n).astype(float),
        "indicator": lambda: (rng.random(n) < 0.2).astype(float),
        "cauchy": lambda: rng.standard_cauchy(size=n),
    }
    phi = np.column_stack([draw[kind]() for kind in kinds])
    base = rng.uniform(0.1, 1, size=n) if weighted else np.ones(n)
    share = (1 - reach) * base / base.sum() + reach * rng.dirichlet(np.full(n, 0.2))
    target = share @ phi
    try:
        projection = project(phi, target, sample_weight=base if weighted else None)
    except InputError:  # constant or dependent columns of a small draw
        assert np.linalg.matrix_rank(np.column_stack([np.ones(n), phi]), tol=1e-6) <= len(kinds)
        return
    sd = np.sqrt(np.average((phi - np.average(phi, 0, base)) ** 2, 0, base))
    assert projection.status in ("solved", "limit")
    assert np.all(projection.weights >= 0)
    assert projection.weights.mean() == pytest.approx(1, abs=1e-12)
    assert np.max(np.abs((phi - target).T @ projection.weights / n) / sd) <= 1.1e-10
    np.testing.assert_allclose(projection.achieved, target, rtol=0, atol=2e-10 * sd.max())
    assert projection.residual <= 1e-10
    assert projection.ess == pytest.approx(projection.weights.sum() ** 2 / np.sum(projection.weights**2))
    assert projection.tv == pytest.approx(0.5 * np.mean(np.abs(projection.weights - base / base.mean())), abs=1e-12)
    if projection.status == "solved":
        assert np.all(projection.weights > 0)
        logs = phi @ projection.multipliers
        log_z = logs.max() + np.log(np.average(np.exp(logs - logs.max()), weights=base))
        size = 1 + np.abs(projection.multipliers) @ np.abs(phi).max(0)
        assert projection.kl == pytest.approx(projection.multipliers @ target - log_z, abs=1e-9 * size)


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), scale=st.floats(-8, 8), offset=st.floats(-6, 6))
@pytest.mark.slow
def test_scale_offset_and_order_change_nothing(seed, scale, offset):
    phi, target, base = random_case(seed)
    projection = project(phi, target, sample_weight=base)
    a, b, order = 10.0**scale, 10.0**scale * 10.0**offset, [2, 0, 1]
    moved = project((a * phi + b)[:, order], (a * target + b)[order], sample_weight=7 * base)
    slack = 1e-8 + 1e-14 * 10.0**offset
    np.testing.assert_allclose(moved.weights, projection.weights, atol=1e3 * slack)
    np.testing.assert_allclose(moved.multipliers * a, projection.multipliers[order], rtol=1e4 * slack, atol=1e3 * slack)
    shuffled = np.random.default_rng(seed).permutation(len(phi))
    again = project(phi[shuffled], target, sample_weight=base[shuffled])
    np.testing.assert_allclose(again.weights, projection.weights[shuffled], rtol=1e-8)


def test_an_identifier_like_column_is_moved_as_well_as_its_digits_allow():
    rng = np.random.default_rng(3)
    small = np.round(rng.normal(size=(3000, 2)) * 2**20) / 2**20  # exact after the offset
    phi = 1e6 + small * 2.0**-10
    target = 1e6 + np.array([0.5, -0.25]) * 2.0**-10
    projection = project(phi, target)
    plain = project(small, np.array([0.5, -0.25]))
    assert projection.status == "solved"
    assert projection.residual <= 1e-10
    np.testing.assert_allclose(projection.weights, plain.weights, rtol=1e-9)


def test_a_normal_population_is_shifted_whole():
    rng = np.random.default_rng(0)
    mixing = np.array([[1.0, 0, 0], [0.5, np.sqrt(0.75), 0], [0, 0.3, 1]])
    half = rng.normal(size=(200_000, 3))
    phi = np.vstack([half, -half]) @ mixing.T
    covariance = mixing @ mixing.T
    target = np.array([0.4, -0.2, 0.3])
    projection = project(phi, target)
    np.testing.assert_allclose(projection.multipliers, np.linalg.solve(covariance, target), atol=0.01)
    assert projection.kl == pytest.approx(0.5 * target @ np.linalg.solve(covariance, target), rel=0.02)
    centred = phi - target
    np.testing.assert_allclose((centred.T * projection.weights) @ centred / len(phi), covariance, atol=0.02)
    # log-normal weights: the effective share is exp(-2 KL)
    assert projection.ess / len(phi) == pytest.approx(np.exp(-2 * projection.kl), rel=0.05)


def test_uncorrelating_a_normal_pair_matches_the_closed_form():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300_000, 2))
    x[:, 1] = 0.5 * x[:, 0] + np.sqrt(0.75) * x[:, 1]
    phi = np.column_stack([x, x[:, 0] * x[:, 1]])
    projection = project(phi, np.zeros(3))
    # The closest density with zero cross-moment is normal, precision [[a, c], [c, a]] less ξ: c = 0.
    precision = np.linalg.inv([[1, 0.5], [0.5, 1]])
    assert projection.multipliers[2] == pytest.approx(precision[0, 1], abs=0.02)
    spread = np.average(x**2, axis=0, weights=projection.weights)
    np.testing.assert_allclose(spread, 1 / precision[0, 0], atol=0.02)


@pytest.mark.slow
def test_a_linear_companion_is_held_away_as_in_theory():
    """[EVP §4.3.2]: n=2000, corr(x1, x2)=.5, β=(1, 0, -1), probit slope 10; x2 at τ = -1, 0, 1."""
    plain, three = [], []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(2000, 3))
        x[:, 1] = 0.5 * x[:, 0] + np.sqrt(0.75) * x[:, 1]
        ones = rng.random(2000) < ndtr(10 * (x[:, 0] - x[:, 2]))
        mean = x.mean(axis=0)
        ends = [np.quantile(x[:, 1], 0.05), mean[1], np.quantile(x[:, 1], 0.95)]
        both = np.column_stack([x[:, 1], x[:, 0], (x[:, 0] - mean[0]) * (x[:, 1] - mean[1])])
        plain.append([ones @ project(x[:, 1:2], np.array([t])).weights / 2000 for t in ends])
        three.append([ones @ project(both, np.array([t, mean[0], 0.0])).weights / 2000 for t in ends])
    np.testing.assert_allclose(np.mean(plain, 0), [0.281, 0.5, 0.719], atol=0.008)
    np.testing.assert_allclose(np.mean(three, 0), [0.5, 0.5, 0.5], atol=0.015)


@pytest.mark.slow
def test_a_nearly_collinear_pair_is_solved_wherever_the_rows_allow_it(monkeypatch):
    """Of the targets that no weights meet, every fourth also asks for the ranges in its message, the expensive part."""
    mean_range = Hull.mean_range
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2000, 2))
    x[:, 1] = 0.99 * x[:, 0] + np.sqrt(1 - 0.99**2) * x[:, 1]
    mean, low, high = x.mean(0), *np.quantile(x, [0.05, 0.95], axis=0)
    sides = ConvexHull(x).equations
    solved, refused = 0, 0
    for a in np.linspace(-1, 1, 21):
        for b in np.linspace(-1, 1, 21):
            tau = np.array([a, b])
            target = mean + tau * np.where(tau < 0, mean - low, high - mean)
            if np.max(sides[:, :2] @ target + sides[:, 2]) > 0:
                refused += 1
                monkeypatch.setattr(
                    Hull, "mean_range", (lambda hull, values: (0.0, 0.0)) if refused % 4 else mean_range
                )
                with pytest.raises(InfeasibleTarget):
                    project(x, target)
                continue
            solved += 1
            projection = project(x, target)
            assert projection.status == "solved"
            assert projection.residual <= 1e-10
    assert solved >= 90


def test_columns_that_almost_repeat_each_other_are_still_solved():
    rng = np.random.default_rng(4)
    x = rng.normal(size=2000)
    phi = np.column_stack([x, x + 1e-5 * rng.normal(size=2000)])
    projection = project(phi, np.array([0.5, 0.5 + 1e-6]))
    assert projection.status == "solved"
    assert projection.residual <= 1e-10


def test_starting_from_a_neighbour_gives_the_same_answer_in_fewer_passes():
    phi, target, _ = random_case(0, n=5000)
    far = phi.mean(0) + 1.5 * (target - phi.mean(0))
    near = project(phi, far * 0.98 + 0.02 * phi.mean(0))
    cold, warm = project(phi, far), project(phi, far, start=near.multipliers)
    assert warm.iterations < cold.iterations
    np.testing.assert_allclose(warm.weights, cold.weights, rtol=1e-8)


@pytest.mark.parametrize("start", [np.full(3, 1e3), np.array([np.inf, 0, 0]), np.full(3, -1e300)])
def test_a_start_from_nowhere_does_no_harm(start):
    phi, target, _ = random_case(1)
    np.testing.assert_allclose(project(phi, target, start=start).weights, project(phi, target).weights, rtol=1e-8)


def test_memory_order_does_not_matter():
    phi, target, _ = random_case(2, n=30_000)
    a, b = project(np.ascontiguousarray(phi), target), project(np.asfortranarray(phi), target)
    np.testing.assert_allclose(a.weights, b.weights, rtol=1e-9)


def test_rows_without_weight_take_no_part():
    phi, target, base = random_case(5)
    base[:20] = 0
    phi[0] = 1e9
    share = np.random.default_rng(0).dirichlet(np.full(40, 0.9))
    target = share @ phi[20:]
    projection = project(phi, target, sample_weight=base)
    alone = project(phi[20:], target, sample_weight=base[20:])
    assert np.all(projection.weights[:20] == 0)
    np.testing.assert_allclose(projection.weights[20:] / 60, alone.weights / 40, rtol=1e-10)
    assert projection.kl == pytest.approx(alone.kl)
    assert projection.weights.mean() == pytest.approx(1)


def test_too_few_passes_are_confessed():
    phi, target, _ = random_case(0)
    projection = project(phi, target, max_iterations=2, names=["mean of a", "mean of b", "mean of c"])
    assert projection.status == "unconverged"
    assert projection.residual > 1e-10
    assert "Not met: after 2 passes the mean of" in projection.message


def test_a_looser_tolerance_is_respected():
    phi, target, _ = random_case(0)
    projection = project(phi, target, tol=0.5, max_iterations=3)
    assert projection.status == "solved"
    assert 1e-10 < projection.residual <= 0.5


def test_a_projection_is_frozen_and_speaks():
    phi, target, _ = random_case(0)
    projection = project(phi, target)
    assert isinstance(projection, Projection)
    assert projection.message == "Every constraint is met."
    with pytest.raises(AttributeError):
        projection.kl = 0.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda p, t, b: (p[:, 0], t, b), InputError, "one row per observation"),
        (lambda p, t, b: (p[:0], t, b), InputError, "one row per observation"),
        (lambda p, t, b: (p, t[:2], b), InputError, r"one target per column of Φ, 3; got shape \(2,\)"),
        (lambda p, t, b: (p, t * np.nan, b), InputError, "Targets must be finite; got nan"),
        (lambda p, t, b: (p, t, b[:5]), InputError, r"shape \(60,\); got shape \(5,\)"),
        (lambda p, t, b: (p, t, b - 1), InputError, "sample_weight must be zero or more; "),
        (lambda p, t, b: (p, t, b * 0), InputError, "sample_weight must be above zero in some row"),
        (lambda p, t, b: (p, t, b / 0), InputError, "sample_weight must have a finite value"),
        (lambda p, t, b: (np.where(np.arange(60)[:, None] == 9, np.nan, p), t, b), InputError, "column 0 of Φ"),
        (lambda p, t, b: (np.where(p > 1, np.inf, p), t, b), InputError, "finite values in every row"),
        (lambda p, t, b: (p * [1, 0, 1], t * [1, 0, 1], b), InputError, "b is 0 whatever the weights"),
        (lambda p, t, b: (p * [1, 0, 1], t, b), InfeasibleTarget, "b cannot become .*every row has the value 0"),
        (lambda p, t, b: (p, np.add(t, [0, 99, 0]), b), InfeasibleTarget, "b cannot become .*the rows lie between"),
        (lambda p, t, b: (p[:, [0, 1, 0]], t[[0, 1, 0]], b), DependentConstraints, "c already follows from the a"),
        (lambda p, t, b: (p[:, [0, 1, 0]], t, b), DependentConstraints, "c cannot become .*linear function of the a"),
    ],
)
def test_bad_input_is_refused_in_words(change, error, words):
    phi, target, base = random_case(0)
    with np.errstate(all="ignore"):
        phi, target, base = change(phi, target, base)
    with pytest.raises(error, match=words):
        project(phi, target, sample_weight=base, names=["a", "b", "c"])
