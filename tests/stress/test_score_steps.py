"""ROC AUC and average precision from cells: by definition on ties, within the bound else, with their gradients."""

import numpy as np
import pytest
import sklearn.metrics as sk

from tauscope.stress.score_steps import Ranking, ScoreSteps

MEASURES = {"roc_auc": sk.roc_auc_score, "average_precision": sk.average_precision_score}
EACH = pytest.mark.parametrize("measure", list(MEASURES))


def draw(seed, n=300):
    random = np.random.default_rng(seed)
    score = random.normal(size=n)
    truth = (score + random.normal(size=n) > 0.7).astype(int)
    truth[:2] = 0, 1
    return score, truth, random.integers(0, 2, n), random.exponential(size=n) ** 2


def sum_cells(steps, score, truth, predicted, weight):
    return np.bincount(4 * steps(score) + 2 * truth + predicted, weight, 4 * steps.n)


@EACH
def test_steps_of_one_score_give_what_rows_give(measure):
    score, truth, predicted, weight = draw(0)
    score = np.round(score, 1)
    values = np.unique(score)
    steps = ScoreSteps(np.unique([values, np.nextafter(values, -np.inf)]))
    assert steps.tied[steps(score)].all()
    sums = sum_cells(steps, score, truth, predicted, weight)
    value, _ = Ranking(measure, steps.tied).evaluate(sums)
    assert value == pytest.approx(MEASURES[measure](truth, score, sample_weight=weight), rel=1e-12)
    assert Ranking(measure, steps.tied, is_bound=True).evaluate(sums)[0] == 0


@EACH
@pytest.mark.parametrize("n_steps", [1, 5, 40])
@pytest.mark.slow
def test_no_order_within_steps_leads_beyond_the_bound(measure, n_steps):
    for seed in range(12):
        score, truth, predicted, weight = draw(seed, 12 if seed % 2 else 300)
        steps = ScoreSteps(np.quantile(score, np.arange(1, n_steps) / n_steps))
        sums = sum_cells(steps, score, truth, predicted, weight)
        value, bound = (Ranking(measure, steps.tied, asked).evaluate(sums)[0] for asked in (False, True))
        step = steps(score)
        best, worst = step + 0.5 * truth, step - 0.5 * truth
        for order in (score, best, worst, best + 1e-3 * score, worst + 1e-3 * score):
            wanted = MEASURES[measure](truth, order, sample_weight=weight)
            assert abs(value - wanted) <= bound + 1e-12


@EACH
def test_gradients_are_those_of_differences(measure):
    score, truth, predicted, weight = draw(3)
    values = np.array([-0.5, 0.3])
    steps = ScoreSteps(np.unique([*values, *np.nextafter(values, -np.inf), -1.0, 0.0, 1.0]))
    score[:60] = 0.3
    sums, ranking = sum_cells(steps, score, truth, predicted, weight), Ranking(measure, steps.tied)
    _, gradient = ranking.evaluate(sums)
    small = 1e-5 * np.eye(len(sums))
    differences = (ranking.evaluate(sums + small)[0] - ranking.evaluate(np.maximum(sums - small, 0))[0]) / 2e-5
    filled = sums > 0
    np.testing.assert_allclose(gradient[filled], differences[filled], rtol=1e-6, atol=1e-9)
    assert gradient @ sums == pytest.approx(0, abs=1e-12)


@EACH
def test_a_class_without_weight_leaves_nothing_to_rank(measure):
    sums = np.array([[1.0, 0, 0, 0, 2, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 3], np.zeros(8), [1, 0, 0, 1, 1, 0, 0, 1]])
    ranking = Ranking(measure, np.array([False, False]))
    value, gradient = ranking.evaluate(sums)
    assert np.isnan(value[:3]).all()
    assert np.isfinite(value[3])
    assert np.isfinite(gradient).all()


@EACH
def test_any_scale_of_the_weights_gives_the_same(measure):
    sums = np.random.default_rng(0).exponential(size=20)
    ranking = Ranking(measure, np.zeros(5, bool))
    value, gradient = ranking.evaluate(np.stack([sums, 1e-200 * sums, 1e100 * sums]))
    np.testing.assert_allclose(value, value[0], rtol=1e-12)
    np.testing.assert_allclose(gradient[2] * 1e100, gradient[0], rtol=1e-12)
