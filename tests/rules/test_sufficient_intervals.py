import numpy as np
import pytest
from scipy import stats
from sklearn.ensemble import RandomForestClassifier

from tauscope.errors import InputError
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest
from tauscope.rules.sufficient import tree_interval


def test_it_is_students_interval_with_one_tree_more():
    answers = np.random.default_rng(0).random((3, 12))
    lower, upper = tree_interval(answers, confidence=0.9)
    for row, low, high in zip(answers, lower, upper, strict=True):
        more = np.append(row, 0.5)
        expected = stats.t.interval(0.9, 12, more.mean(), stats.sem(more))
        assert (low, high) == pytest.approx(np.clip(expected, 0, 1))


def test_it_holds_the_mean_and_stays_within_0_and_1():
    answers = np.stack([np.ones(20), np.zeros(20), np.full(20, 0.9)])
    for confidence in (0.05, 0.95):
        lower, upper = tree_interval(answers, confidence=confidence)
        assert ((lower <= answers.mean(axis=1)) & (answers.mean(axis=1) <= upper)).all()
        assert (lower >= 0).all()
        assert (upper <= 1).all()
    assert lower[0] < 0.95


def test_trees_that_have_no_say_are_left_out():
    answers = np.array([0.5, 0.7, 0.9, np.nan])
    assert tree_interval(answers) == pytest.approx(tree_interval(answers[:3]))
    with pytest.raises(InputError, match="at least two; got 1"):
        tree_interval(np.array([0.5, np.nan]))
    with pytest.raises(InputError, match="confidence must lie in"):
        tree_interval(answers, confidence=1.0)


@pytest.mark.slow
def test_it_covers_the_answer_of_a_large_forest():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    y = (X[:, 0] + X[:, 1] * (X[:, 2] > 0) + 0.5 * random.normal(size=300) > 0).astype(int)
    projected = ProjectedForest(RandomForestClassifier(800, random_state=0).fit(X, y), X, y)
    same = SameDecision.of_class(projected.predict(X[:12]))
    by_tree = projected.sdp_by_tree(X[:12], [(0,), (0, 1), (1, 2), (0, 1, 2, 3)], same)
    settled = by_tree.mean(axis=-1)
    covered = []
    for _ in range(60):
        lower, upper = tree_interval(by_tree[..., random.choice(800, 20, replace=False)])
        covered.append((lower <= settled) & (settled <= upper))
    share = np.mean(covered, axis=(0, 1))
    assert (share > 0.92).all()  # of each subset, those with hardly any doubt among them
    assert share.mean() < 0.99  # and not by being wide
