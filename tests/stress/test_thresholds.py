"""Decisions at other thresholds: cells, costs and the best, against counting."""

import numpy as np
import pytest

from tauscope.stress.joint.estimates import cell_sums, joint_estimates, metric_values, regress_metrics
from tauscope.stress.metric_definitions import definition_of
from tauscope.stress.metric_forms import RatioDefinition
from tauscope.stress.thresholds import (
    DRAWS,
    Costs,
    CostsAlong,
    DecidedScores,
    Decisions,
    best_thresholds,
    costs_of_sums,
    least_cost,
    spread_thresholds,
    threshold_above,
)

N = 300
COSTS = Costs(fp=1, fn=5, tp=-2, tn=0.5)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    score = np.round(rng.random(N), 2)
    truth = (rng.random(N) < score).astype(int)
    return score, truth, rng.random(N) + 0.1


def counted(score, truth, weights, threshold):
    decided = score >= threshold
    by = {name: np.sum(weights[where]) for name, where in {
        "tp": decided & (truth == 1), "fp": decided & (truth == 0),
        "fn": ~decided & (truth == 1), "tn": ~decided & (truth == 0),
    }.items()}  # fmt: skip
    return by, sum(by.values())


def test_metrics_at_each_threshold_are_those_of_its_decisions(rows):
    score, truth, weights = rows
    thresholds = np.array([0.0, 0.2, 0.5, 0.505, 2.0])
    decisions = Decisions(score, truth, thresholds)
    names = ("recall", "error_rate", "balanced_accuracy")
    found = metric_values(decisions.quantities, decisions.metrics([definition_of(name) for name in names]), weights)
    for place, threshold in enumerate(thresholds):
        by, total = counted(score, truth, weights, threshold)
        recall, specificity = by["tp"] / (by["tp"] + by["fn"]), by["tn"] / (by["tn"] + by["fp"])
        want = [recall, (by["fp"] + by["fn"]) / total, (recall + specificity) / 2]
        assert found[3 * place : 3 * place + 3] == pytest.approx(want, rel=1e-12)


def test_costs_are_the_mean_of_what_each_decision_costs(rows):
    score, truth, weights = rows
    thresholds = np.linspace(0, 1, 11)
    decisions = Decisions(score, truth, thresholds)
    found = metric_values(decisions.quantities, decisions.costs(COSTS), weights)
    for value, threshold in zip(found, thresholds, strict=True):
        by, total = counted(score, truth, weights, threshold)
        want = (by["fp"] + 5 * by["fn"] - 2 * by["tp"] + 0.5 * by["tn"]) / total
        assert value == pytest.approx(want, rel=1e-12)


def test_without_truth_only_shares_are_counted(rows):
    score, _, weights = rows
    decisions = Decisions(score, None, np.array([0.3, 0.6]))
    selected = RatioDefinition("selected", "selected", ("binary",), top=lambda cells: cells.predicted == 1)
    found = metric_values(decisions.quantities, decisions.metrics([selected]), weights)
    assert found == pytest.approx([np.average(score >= t, weights=weights) for t in (0.3, 0.6)], rel=1e-12)


@pytest.mark.parametrize("in_group", [False, True])
def test_the_variance_of_a_cost_is_that_of_its_interval_but_for_the_leverage(rows, in_group):
    score, truth, weights = rows
    inside = np.arange(N) % 2 == 0 if in_group else None
    decisions = Decisions(score, truth, np.linspace(0.1, 0.9, 5))
    metrics = decisions.costs(COSTS)
    phi, target = np.zeros((N, 1)), np.zeros(1)
    regressed = regress_metrics(decisions.quantities, metrics, phi, target, weights, unstressed=True, within=inside)
    sums = cell_sums(decisions.quantities, phi, regressed.share**2, inside)
    along = costs_of_sums(decisions.quantities, regressed.regression, sums, np.zeros((1, 1)))
    estimates = joint_estimates(decisions.quantities, metrics, phi, target, weights, within=inside)
    assert along.value == pytest.approx([float(each.value) for each in estimates], rel=1e-12)
    assert np.sqrt(np.diag(along.covariance)) == pytest.approx([float(each.error) for each in estimates], rel=0.02)
    assert np.linalg.eigvalsh(along.covariance)[0] >= -1e-18


def test_the_least_cost_is_that_of_every_score_tried(rows):
    score, truth, weights = rows
    found = least_cost(score, truth, weights, COSTS)
    tried = np.unique(score)
    decisions = Decisions(score, truth, tried)
    assert found == tried[np.argmin(metric_values(decisions.quantities, decisions.costs(COSTS), weights))]


def test_thresholds_far_from_the_best_are_told_from_it_and_equal_ones_are_not():
    value = np.array([0.5, 0.2, 0.2, 0.21, 0.9])
    covariance = 1e-4 * (np.eye(5) + 1)
    covariance[1, 1] = covariance[1, 2] = covariance[2, 1] = covariance[2, 2] = 2e-4  # the same decisions
    [best] = best_thresholds([CostsAlong(value, covariance)], 0.95)
    assert best.place == 1
    assert best.inside.tolist() == [False, True, True, True, False]


def test_a_dearer_threshold_without_any_error_is_told_from_the_best():
    [best] = best_thresholds([CostsAlong(np.array([0.1, 0.3, 0.1]), np.zeros((3, 3)))], 0.95)
    assert best.inside.tolist() == [True, False, True]


def drawn_one_by_one(costs, confidence):
    variances, vectors = np.linalg.eigh(costs.covariance)
    n = len(costs.value)
    draws = np.random.default_rng(0).standard_normal((DRAWS, n)) @ (vectors * np.sqrt(np.maximum(variances, 0))).T
    kept = []
    for t in range(n):
        others = [s for s in range(n) if s != t]
        spread = [np.sqrt(np.array([1, -1]) @ costs.covariance[np.ix_([t, s], [t, s])] @ [1, -1]) for s in others]
        largest = np.max((draws[:, [t]] - draws[:, others]) / spread, axis=1)
        found = np.max((costs.value[t] - costs.value[others]) / spread)
        kept.append(bool(found <= max(0.0, np.quantile(largest, confidence))))
    return kept


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_of_several_groups_each_keeps_the_thresholds_that_draws_one_by_one_keep(confidence):
    rng = np.random.default_rng(1)
    groups = []
    for scale in (0.3, 2.0, 30.0):  # from none that is told from the best to nearly all
        root = rng.normal(size=(12, 12)) / 10
        groups.append(CostsAlong(scale * (np.linspace(-1, 1, 12) ** 2 + 1), root @ root.T))
    found = best_thresholds(groups, confidence)
    assert [each.inside.tolist() for each in found] == [drawn_one_by_one(each, confidence) for each in groups]
    assert found[0].inside.sum() > found[1].inside.sum() > found[2].inside.sum()


def test_of_no_group_there_is_no_best_threshold():
    assert best_thresholds([], 0.95) == []


@pytest.mark.parametrize(
    ("score", "positive", "want"),
    [
        ([0.1, 0.4, 0.6], [False, False, True], 0.5),
        ([0.1, 0.4, 0.45], [False, False, True], 0.45),
        ([-2.0, -0.1, 3.0], [False, False, True], 0.0),
        ([0.7, 0.9], [True, True], 0.5),
        ([0.1, 0.2], [False, False], 0.5),
        ([0.6, 0.9], [False, False], 0.901),
        ([0.1, 0.4, 0.6], [False, True, False], None),
        ([0.3, 0.3], [False, True], None),
    ],
)
def test_the_present_threshold_is_the_usual_one_where_it_can_be(score, positive, want):
    assert DecidedScores.of(np.array(score), np.array(positive)).threshold().value == want


@pytest.mark.parametrize(
    ("low", "high", "want"),
    [
        (0.5, 0.7, 0.701),
        (0.0, 1.0, 1.01),
        (0.3, 0.3, 0.31),
        (0.001, 0.99987, 1.001),
        (-3.2, 17.23, 17.3),
        (-2.0, -1.0, -0.99),
        (123.0, 98765.4, 98766.0),
        (1e20, 1e20, np.nextafter(1e20, 2e20)),
        (0.0, 5e-324, 1e-323),
        (-1.7e308, 1.7e308, np.nextafter(1.7e308, np.inf)),
    ],
)
def test_a_threshold_above_is_a_short_number_above_every_score(low, high, want):
    assert threshold_above(low, high) == want > high


def test_thresholds_that_some_row_of_weight_reaches_are_counted(rows):
    score, truth, _ = rows
    decisions = Decisions(score, truth, np.array([0.1, 0.5, 0.9, 2.0, 3.0]))
    for inside, want in ((score >= 0, 3), (score < 0.9, 2), (score < 0.1, 0), (score < 0, 0)):
        cells = decisions.quantities
        assert decisions.n_reached(np.bincount(cells.cell, inside, cells.n_cells)) == want


def test_thresholds_are_spread_over_scores_and_rows():
    assert spread_thresholds(np.array([0.2, 0.1, 0.2]), 51).tolist() == [0.1, 0.2]
    score = np.random.default_rng(0).beta(0.2, 2, 5000)
    found = spread_thresholds(score, 51)
    assert len(found) == 51
    assert (np.diff(found) < 0.05).all()
    assert np.diff([np.mean(score < t) for t in found]).max() < 0.05


def test_of_thresholds_that_cost_the_same_but_for_rounding_the_lowest_is_best():
    costs = CostsAlong(np.array([0.4, 0.3 + 1e-16, 0.3 - 1e-16, 0.5]), np.eye(4) * 1e-4)
    assert best_thresholds([costs], 0.95)[0].place == 1
