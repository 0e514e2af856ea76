"""What rows add to targets: against sums written out, and against other rows of the same population."""

import numpy as np
import pytest

from tauscope.stress.column.target import tau_range
from tauscope.stress.joint.constraints import Covariance, Mean, Moment, Share, Stress, Variance, as_stress
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.influence import count_beyond, target_covariance, tau_basis, tau_coefficients
from tauscope.stress.joint.moments import resolve
from tauscope.stress.joint.projection import project
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes

N = 1200


def columns(n=N, seed=0, gaps=False):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n)
    b = 0.5 * a + rng.exponential(size=n)
    c = (rng.random(n) < 0.4) * 1.0
    if gaps:
        b = np.where(rng.random(n) < 0.2, np.nan, b)
    return {"a": a, "b": b, "c = yes": c}


def moments_of(stress, values, weight=None):
    return resolve(as_stress(stress), values.__getitem__, len(values["a"]), sample_weight=weight)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tau", [-1, -0.4, 0, 0.7, 1])
def test_of_one_column_it_is_the_error_of_its_target(weighted, tau):
    values = columns()
    weight = np.random.default_rng(1).uniform(0.3, 2, N) if weighted else None
    around = tau_range(values["b"], 0.05, weight)
    found = moments_of(Mean("b", tau=tau), values, weight)
    expected = around.target_error(np.array([float(tau)]))[0]
    assert np.sqrt(found.target_covariance[0, 0]) == pytest.approx(expected, rel=1e-9)
    assert found.in_doubt == around.in_doubt(np.array([float(tau)]))[0]


@pytest.mark.parametrize("tau", [-1.0, -0.3, 0.0, 0.6, 1.0])
def test_every_tau_is_a_combination_of_three(tau):
    b = columns()["b"]
    around = tau_range(b, 0.05)
    basis = np.stack([influence(slice(None)) for influence in tau_basis(b, around)])
    expected = around.influence(b, tau) if tau else b - b.mean()
    np.testing.assert_allclose(tau_coefficients(np.array(tau)) @ basis, expected, atol=1e-12)


def test_targets_in_units_have_no_error_and_the_others_that_of_the_rows():
    values = columns()
    stress = Mean("a", target=0.2) & Share("c", "yes", tau=0) & Variance("b", scale=1.5) & Covariance("a", "b", 0.1)
    found = moments_of(stress, values)
    assert [term.aim for term in found.terms] == ["given", "kept", "moved", "given", "kept"]  # the mean of b is held
    c, b = values["c = yes"], values["b"]
    psi = np.stack([0 * c, c - c.mean(), 1.5 * ((b - b.mean()) ** 2 - b.var()), 0 * c, b - b.mean()])
    np.testing.assert_allclose(found.target_covariance, psi @ psi.T / N**2, atol=1e-15)
    assert not found.unstressed


def test_rows_without_a_value_add_nothing_to_a_mean_but_to_their_share():
    values = columns(gaps=True)
    weight = np.random.default_rng(1).uniform(0.3, 2, N)
    base, known = weight / weight.sum(), ~np.isnan(values["b"])
    found = moments_of(Mean("b", tau=0), values, weight)
    mean = np.average(values["b"][known], weights=weight[known])
    psi = np.stack([np.where(known, values["b"] - mean, 0), known - base @ known])
    np.testing.assert_allclose(found.target_covariance, (psi * base**2) @ psi.T, atol=1e-15)
    assert found.unstressed


@pytest.mark.parametrize(
    ("stress", "unstressed"),
    [
        (Mean("a", tau=0), True),
        (Mean("a", tau=0) & Share("c", "yes", tau=0) & Variance("b", scale=1), True),
        (Mean("a", tau=0.1), False),
        (Mean("a", target=0.0), False),
        (Variance("a", scale=1.01), False),
        (Mean("a", tau=0) & Covariance("a", "b", 0.0), False),
    ],
)
def test_unstressed_is_what_keeps_every_present_value(stress, unstressed):
    assert moments_of(stress, columns()).unstressed == unstressed


def test_rows_beyond_are_those_of_the_scarcest_target():
    values = columns()
    a, c = values["a"], values["c = yes"]
    assert moments_of(Mean("a", tau=0), values).n_beyond == np.inf
    assert moments_of(Mean("a", target=1.5), values).n_beyond == (a >= 1.5).sum()
    assert moments_of(Mean("a", target=-2), values).n_beyond == (a <= -2).sum()
    assert moments_of(Share("c", "yes", 0.7), values).n_beyond == c.sum()
    both = Stress((Mean("a", target=1.5), Share("c", "yes", 0.2)))
    assert moments_of(both, values).n_beyond == (a >= 1.5).sum()
    wide = (a - a.mean()) ** 2
    assert moments_of(Variance("a", target=3.0), values).n_beyond == (wide >= 3).sum()
    score = Moment(a**3, 2.0, name="cubed")
    assert moments_of(score, values).n_beyond == (a**3 >= 2).sum()


def test_weighted_rows_beyond_are_effective_ones():
    weight = np.random.default_rng(1).uniform(0.3, 2, N)
    a = columns()["a"]
    there = weight[a >= 1]
    assert count_beyond(a, 0.0, 1.0, weight) == pytest.approx(there.sum() ** 2 / (there**2).sum())
    assert count_beyond(a, 0.0, 99.0, weight) == 0


def test_no_target_of_the_rows_has_no_covariance():
    np.testing.assert_array_equal(target_covariance([None, None], N, None), np.zeros((2, 2)))


CASES = {
    "held": Mean("a", target=0.5) & Mean("b", tau=0),
    "moved": Mean("a", tau=0.15) & Mean("b", tau=-0.2),
    "share": Mean("a", tau=0.1) & Share("c", "yes", tau=0.3),
    "spread": Variance("a", scale=1.4) & Mean("b", tau=0.1),
    "covariance": Mean("a", tau=0.15) & Covariance("a", "b", 0.3),
}


def draw(n, seed):
    values, rng = columns(n, seed), np.random.default_rng(seed + 1)
    predicted = values["a"] + 0.5 * values["b"] ** 2 + values["c = yes"]
    return values, Outcomes("regression", predicted, predicted + rng.normal(size=n))


def answer(stress, values, outcomes):
    moments = moments_of(stress, values)
    weights = project(moments.phi, moments.target).weights
    quantities, available = define_quantities(outcomes)
    metrics = choose(available, ["mean", "rmse"])
    return joint_estimates(quantities, metrics, moments.phi, moments.target, weights, moments.target_covariance)


@pytest.mark.slow
@pytest.mark.parametrize("case", list(CASES))
def test_the_error_is_that_of_the_whole_procedure_on_other_rows(case):
    """Rows drawn from these anew, targets found and met on each: the spread of the answers."""
    n, rng = 2000, np.random.default_rng(0)
    values, outcomes = draw(n, 3)
    replicates = []
    for _ in range(500):
        rows = rng.integers(0, n, n)
        again = answer(CASES[case], {name: column[rows] for name, column in values.items()}, outcomes.take(rows))
        replicates.append([float(estimate.value) for estimate in again])
    error = [float(estimate.error) for estimate in answer(CASES[case], values, outcomes)]
    np.testing.assert_allclose(error, np.std(replicates, axis=0), rtol=0.1)
