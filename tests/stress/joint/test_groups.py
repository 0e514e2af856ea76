"""How the estimates of groups vary together: the influence of every row by hand, and many samples."""

import numpy as np
import pytest

from blocks import group_estimates
from tauscope.stress.joint.estimates import joint_estimates
from tauscope.stress.joint.groups import GroupEstimates, metric_gaps
from tauscope.stress.joint.projection import project
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes

NAMES = ("error_rate", "portion_1", "mean_score", "f1", "log_loss", "roc_auc")


def rows(random, n):
    group = random.integers(0, 3, n)
    x = random.normal(size=(n, 2)) + group[:, None] / 2
    score = 1 / (1 + np.exp(-x[:, 0] - x[:, 1] / 2))
    outcomes = Outcomes("binary", (score > 0.5) * 1, (random.random(n) < score) * 1, score, ("0", "1"))
    return group, x, outcomes


def estimated(random, n, target):
    group, x, outcomes = rows(random, n)
    quantities, every = define_quantities(outcomes, names=NAMES)
    metrics = choose(every, NAMES)
    weights = project(x, target).weights
    covariance = np.diag([0.002, 0.001])
    found = group_estimates(outcomes, metrics, x, target, weights, covariance, group)
    return found, (group, x, quantities, metrics, weights, covariance)


def test_each_group_has_the_estimate_of_its_own():
    target = np.array([0.6, 0.4])
    found, (group, x, quantities, metrics, weights, covariance) = estimated(np.random.default_rng(0), 400, target)
    for code in range(3):
        alone = joint_estimates(quantities, metrics, x, target, weights, covariance, within=group == code)
        for one, other in zip(found.estimates[code], alone, strict=True):
            np.testing.assert_allclose(one, other)


def test_correlations_are_those_of_the_influences_of_all_rows():
    target = np.array([0.6, 0.4])
    found, (group, x, _, metrics, weights, covariance) = estimated(np.random.default_rng(0), 400, target)
    _, outcomes = rows(np.random.default_rng(0), 400)[1:]
    wrong, share = (outcomes.truth != outcomes.predicted) * 1.0, weights / weights.sum()
    second = np.einsum("i,ij,ik->jk", share, x - target, x - target)
    influence, slopes = [], []
    for code in range(3):
        inside = group == code
        g = np.where(inside, wrong - np.average(wrong, weights=share * inside), 0.0)
        slope = np.linalg.solve(second, (share * g) @ (x - target))
        influence.append(share * (g - (x - target) @ slope) / share[inside].sum())
        slopes.append(slope / share[inside].sum())
    by_hand = np.array(influence) @ np.array(influence).T + np.array(slopes) @ covariance @ np.array(slopes).T
    spread = np.sqrt(np.diag(by_hand))
    np.testing.assert_allclose(found.correlation[..., 0], by_hand / np.outer(spread, spread), rtol=1e-9)
    assert metrics[0].name == "error_rate"
    assert found.correlation.shape == (3, 3, len(NAMES))


def test_without_a_stress_groups_do_not_vary_together():
    group, _, outcomes = rows(np.random.default_rng(0), 300)
    _, every = define_quantities(outcomes, names=NAMES)
    nothing = np.zeros((300, 1)), np.zeros(1), np.ones(300), np.zeros((1, 1))
    found = group_estimates(outcomes, choose(every, NAMES), *nothing, group, unstressed=True)
    np.testing.assert_array_equal(found.correlation, np.broadcast_to(np.eye(3)[..., None], (3, 3, len(NAMES))))


def test_a_group_without_weight_has_nothing():
    group, _, outcomes = rows(np.random.default_rng(0), 300)
    _, every = define_quantities(outcomes, names=NAMES)
    weights = np.where(group == 1, 0.0, 1.0)
    nothing = np.zeros((300, 1)), np.zeros(1), weights, np.zeros((1, 1))
    found = group_estimates(outcomes, choose(every, NAMES), *nothing, group, unstressed=True)
    assert found.estimates[1] is None
    assert found.estimates[0] is not None


def test_the_gaps_of_many_metrics_are_those_of_each_alone():
    found, (group, _, _, metrics, _, _) = estimated(np.random.default_rng(0), 400, np.array([0.6, 0.4]))
    found.estimates[1] = None
    n_rows = np.bincount(group).tolist()
    together = metric_gaps(metrics, found, n_rows, 0.95)
    for i, metric in enumerate(metrics):
        only = GroupEstimates([each and [each[i]] for each in found.estimates], found.correlation[..., [i]])
        np.testing.assert_array_equal(together[i], metric_gaps([metric], only, n_rows, 0.95)[0])


@pytest.mark.slow
def test_correlations_are_those_of_many_samples():
    """Of 1,500 samples: a standard error of .025."""
    target, values, expected = np.array([0.9, 0.7]), [], []
    for seed in range(1500):
        group, x, outcomes = rows(np.random.default_rng(seed), 500)
        _, every = define_quantities(outcomes, names=("portion_1", "mean_score"))
        metrics = choose(every, ("portion_1", "mean_score"))
        weights = project(x, target).weights
        found = group_estimates(outcomes, metrics, x, target, weights, np.zeros((2, 2)), group)
        values.append([[float(one.value) for one in each] for each in found.estimates])
        expected.append(found.correlation)
    for m in range(2):
        seen = np.corrcoef(np.array(values)[:, :, m].T)
        np.testing.assert_allclose(np.mean(expected, axis=0)[..., m], seen, rtol=0, atol=0.08)
        assert (np.abs(seen[np.triu_indices(3, 1)]) > 0.1).any()
