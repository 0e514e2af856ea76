"""What of a learner is seeded for a refit, and what is left as its owner set it."""

import numpy as np
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tauscope.study.refit import seeded, unit_seed


def test_what_is_not_an_int_gets_one_of_its_own():
    learner = make_pipeline(
        StandardScaler(),
        BaggingClassifier(RandomForestClassifier(3, random_state=7), random_state=np.random.RandomState(0)),
    )
    given = seeded(learner, 3).get_params()
    assert given["baggingclassifier__estimator__random_state"] == 7
    assert isinstance(given["baggingclassifier__random_state"], int)
    assert seeded(LogisticRegression(), 3).random_state != seeded(LogisticRegression(), 4).random_state
    assert seeded(LogisticRegression(), 3).random_state == seeded(LogisticRegression(), 3).random_state


def test_a_learner_without_chance_is_left_as_it_is():
    learner = StandardScaler()
    assert seeded(learner, 3) is learner


def test_seeds_of_units_differ_and_stay_in_range():
    seeds = {unit_seed(0, number) for number in range(1000)}
    assert len(seeds) == 1000
    assert 0 <= min(seeds) <= max(seeds) < 2**31
