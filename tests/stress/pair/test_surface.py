"""Surfaces of two columns against the projection of every cell on its own."""

import numpy as np
import pytest
from scipy.stats import norm

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError
from tauscope.stress.intervals import analytic_interval
from tauscope.stress.joint.constraints import Mean
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.pair.surface import stress_surface
from tauscope.stress.reliability import Support, judge
from tauscope.weights.carriers import few_carriers
from tauscope.weights.concentration import pareto_khat

TAUS = np.linspace(-1, 1, 5)
FEW, ALL = 100, 16_384
"""Pairs kept: few force product bins on small data."""


def pair(n, rho=0.3, *, whole=False, gaps=False, coarse=False, swapped=False, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = rho * a + np.sqrt(1 - rho**2) * rng.normal(size=n)
    score = 1 / (1 + np.exp(-a + b / 2))
    outcomes = Outcomes("binary", (score > 0.5).astype(int), (rng.random(n) < score).astype(int), score, ("0", "1"))
    if whole:
        a, b = np.round(10 * a + 40), np.round(5 * b + 40)
    if gaps:
        a, b = np.where(rng.random(n) < 0.1, np.nan, a), np.where(rng.random(n) < 0.15, np.nan, b)
    if coarse:
        b = np.round(2 * b)
    return [b, a] if swapped else [a, b], outcomes


def one_by_one(columns, outcomes, surface, sample_weight=None):
    """Every cell by the direct projection: its status, and value, error, ends, ess, k̂, KL, TV where there are any."""
    quantities, available = define_quantities(outcomes)
    chosen = choose(available, None)
    n, by_name = len(columns[0]), dict(zip("ab", columns, strict=True))
    for cell in np.ndindex(surface.status.shape):
        stress = Mean("a", tau=surface.taus[cell[0]]) & Mean("b", tau=surface.taus[cell[1]])
        moments = resolve(stress, by_name.__getitem__, n, sample_weight=sample_weight)
        try:
            projection = project(moments.phi, moments.target, sample_weight=sample_weight)
        except InfeasibleTarget:
            yield cell, "infeasible", None
            continue
        estimates = joint_estimates(
            quantities,
            chosen,
            moments.phi,
            moments.target,
            projection.weights,
            moments.target_covariance,
            unstressed=moments.unstressed,
        )
        ends = [analytic_interval(i, each, 0.95, n) for i, each in zip(chosen, estimates, strict=True)]
        k = pareto_khat(projection.weights)
        ratio = moments.divergence_ratio(projection.kl, projection.tv)
        support = Support(np.array(moments.n_beyond), np.array(moments.in_doubt), np.array(k), ratio)
        numbers = {
            "value": [each.value for each in estimates],
            "error": [each.error for each in estimates],
            "lower": [low for low, _ in ends],
            "upper": [high for _, high in ends],
            "reason": [judge(i, each, support)[0] for i, each in zip(chosen, estimates, strict=True)],
            "population": [projection.ess, k, projection.kl, projection.tv],
            "multiplier": projection.multipliers[:2],
            "carriers": few_carriers(projection.weights),
        }
        yield cell, projection.status, numbers


@pytest.mark.slow
@pytest.mark.parametrize("few_pairs", [FEW, ALL], ids=["bins", "pairs"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "case",
    [
        {"rho": 0.3},
        {"rho": 0.95},
        {"rho": -0.6, "whole": True},
        {"rho": 0.3, "gaps": True},
        {"rho": 0.5, "coarse": True},
        {"rho": 0.5, "coarse": True, "swapped": True},
    ],
    ids=["normal", "correlated", "whole", "gaps", "few values", "few values first"],
)
def test_every_cell_is_the_direct_projection(case, weighted, few_pairs):
    columns, outcomes = pair(1500, **case)
    weight = np.random.default_rng(7).gamma(2.0, size=1500) if weighted else None
    surface = stress_surface(columns, outcomes, taus=TAUS, sample_weight=weight, few_pairs=few_pairs)
    assert surface.exact == (few_pairs == ALL or "whole" in case)
    for (i, j), status, numbers in one_by_one(columns, outcomes, surface, weight):
        assert surface.status[i, j] == status
        if numbers is None:
            assert np.isnan(surface.value[:, i, j]).all()
            assert np.isnan(surface.ess[i, j])
            continue
        close = 1e-9 if surface.ess[i, j] > 5 else 1e-7
        np.testing.assert_allclose(surface.value[:, i, j], numbers["value"], atol=close, rtol=0)
        population = [getattr(surface, name)[i, j] for name in ("ess", "pareto_k", "kl", "tv")]
        np.testing.assert_allclose(population, numbers["population"], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(surface.multiplier[:, i, j], numbers["multiplier"], rtol=1e-6, atol=1e-9)
        if not weighted:  # of weighted rows they are looked for among the heaviest
            carriers = surface.n_carriers[i, j], surface.carried[i, j]
            np.testing.assert_allclose(carriers, numbers["carriers"], rtol=1e-6)
        if surface.exact:
            assert list(surface.reason[:, i, j]) == numbers["reason"]
            for name in ("error", "lower", "upper"):
                np.testing.assert_allclose(getattr(surface, name)[:, i, j], numbers[name], atol=1e-9, rtol=0)
        elif surface.ess[i, j] > 30:
            np.testing.assert_allclose(surface.error[:, i, j], numbers["error"], rtol=1e-2)


@pytest.mark.slow
def test_regression_metrics_agree_with_the_direct_projection():
    columns, _ = pair(900)
    predicted = np.exp(columns[0] / 2) + columns[1]
    outcomes = Outcomes("regression", predicted, predicted + np.random.default_rng(1).normal(size=900))
    for few_pairs, close in ((ALL, 1e-9), (FEW, 5e-3)):
        surface = stress_surface(columns, outcomes, taus=TAUS, few_pairs=few_pairs)
        assert [metric.name for metric in surface.metrics] == ["mean", "variance", "rmse"]
        for (i, j), status, numbers in one_by_one(columns, outcomes, surface):
            assert surface.status[i, j] == status == "solved"
            np.testing.assert_allclose(surface.value[:, i, j], numbers["value"], rtol=1e-9)
            np.testing.assert_allclose(surface.error[:, i, j], numbers["error"], rtol=close)


@pytest.mark.slow
def test_normal_columns_have_a_closed_form():
    """Independent normals: the mean tilts alone, and a probit model's portion of ones is Φ(β·t / √(β·β + 1))."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 400_000))
    predicted = (a - 0.5 * b + rng.normal(size=len(a)) > 0).astype(int)
    surface = stress_surface(
        [a, b], Outcomes("binary", predicted, class_names=("0", "1")), taus=TAUS, metrics=["portion_1"]
    )
    t = surface.target
    spread = np.sqrt(1 + 0.25 + 1)
    expected = norm.cdf((t[0][:, None] - 0.5 * t[1][None, :]) / spread)
    np.testing.assert_allclose(surface.value[0], expected, atol=0.02)
    np.testing.assert_allclose(surface.kl, (t[0][:, None] ** 2 + t[1][None, :] ** 2) / 2, atol=0.03)


@pytest.mark.slow
def test_shape_of_the_papers_figure_2():
    """The portion of ones rises along both features that raise the score, and most along the diagonal."""
    columns, outcomes = pair(20_000, rho=0.0)
    surface = stress_surface([columns[0], -columns[1]], outcomes, taus=np.linspace(-1, 1, 11), metrics=["portion_1"])
    value = surface.value[0]
    assert (np.diff(value, axis=0) > 0).all()
    assert (np.diff(value, axis=1) > 0).all()
    assert value[-1, -1] - value[0, 0] > max(value[-1, 5] - value[0, 5], value[5, -1] - value[5, 0])


def test_middle_is_the_unstressed_population():
    columns, outcomes = pair(1000)
    surface = stress_surface(columns, outcomes, taus=TAUS)
    names = [metric.name for metric in surface.metrics]
    assert surface.value[names.index("portion_1"), 2, 2] == pytest.approx(outcomes.predicted.mean(), abs=1e-12)
    assert surface.ess[2, 2] == pytest.approx(1000)
    assert surface.kl[2, 2] == pytest.approx(0, abs=1e-12)
    assert surface.tv[2, 2] == pytest.approx(0, abs=1e-12)


def test_what_no_weights_can_do_is_marked():
    """Levels of one column: both shares cannot be above one half, and their sum at 1 leaves the others nothing."""
    level = np.random.default_rng(0).integers(0, 3, 600)
    outcomes = Outcomes("binary", (level == 0).astype(int), class_names=("0", "1"))
    surface = stress_surface([(level == 0) * 1.0, (level == 1) * 1.0], outcomes, taus=TAUS, quantile=0.05)
    share = surface.target[0][:, None] + surface.target[1][None, :]
    assert (surface.status[share > 1 + 1e-9] == "infeasible").all()
    assert (surface.status[share < 1 - 1e-9] != "infeasible").all()
    assert np.isnan(surface.value[0, -1, -1])
    assert surface.status[-1, 0] == "limit"
    assert surface.value[0, -1, 0] == 1.0
    assert np.isfinite(surface.upper[0, -1, 0])


def test_a_column_and_the_share_of_its_missing_values():
    columns, outcomes = pair(1000, gaps=True)
    missing = np.isnan(columns[0]).astype(float)
    surface = stress_surface([columns[0], missing], outcomes, taus=TAUS)
    i, j = 3, 3
    phi = np.stack([np.where(missing > 0, surface.target[0, i], columns[0]), missing], axis=1)
    projection = project(phi, np.array([surface.target[0, i], surface.target[1, j]]))
    assert surface.ess[i, j] == pytest.approx(projection.ess, rel=1e-9)
    assert surface.status[i, j] == "solved"


def test_rows_of_no_weight_do_not_count():
    columns, outcomes = pair(800)
    weight = np.ones(800)
    weight[::4] = 0
    positive = np.flatnonzero(weight)
    whole = stress_surface(columns, outcomes, taus=TAUS, sample_weight=weight)
    part = stress_surface([c[positive] for c in columns], outcomes.take(positive), taus=TAUS)
    np.testing.assert_allclose(whole.value, part.value, rtol=1e-9)
    np.testing.assert_allclose(whole.ess, part.ess, rtol=1e-9)


def test_columns_that_cannot_move_apart_are_refused():
    columns, outcomes = pair(500)
    with pytest.raises(DependentConstraints, match="linear function of the other"):
        stress_surface([columns[0], 3 - 2 * columns[0]], outcomes, taus=TAUS)
    with pytest.raises(InputError, match="at least two different values"):
        stress_surface([columns[0], np.ones(500)], outcomes, taus=TAUS)


@pytest.mark.slow
def test_cells_beyond_the_bins_are_announced_and_solved():
    columns, outcomes = pair(40_000, rho=0.97)
    seen = []

    def over(function, cells):
        for cell in cells:
            seen.append(cell.number)
            yield function(cell)

    surface = stress_surface(columns, outcomes, taus=TAUS, metrics=["portion_1"], few_pairs=FEW, over=over)
    assert not surface.exact
    assert surface.n_direct == len(seen) > 0
    assert (surface.status == "infeasible").any()
    assert np.isfinite(surface.value[0][surface.status == "solved"]).all()
