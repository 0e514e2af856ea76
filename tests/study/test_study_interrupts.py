"""An interrupt ends every verb at once, with what there is or a clear stop, and the study answers as before."""

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import hamming_loss, make_scorer

import tauscope as ts
from interrupts import check_interrupts
from tauscope.errors import InputError

pytestmark = pytest.mark.slow

random = np.random.default_rng(0)
X = pd.DataFrame(random.normal(size=(120, 4)), columns=list("abcd"))
y = (X["a"] + X["b"] * X["c"] + random.normal(size=120) > 0).astype(int).to_numpy()


class Interrupted(ClassifierMixin, BaseEstimator):
    """A model at whose k-th call a person presses Ctrl-C; counts the calls after it."""

    def fit(self, X, y):
        """Fit the model behind it."""
        self.inner_ = LogisticRegression().fit(X, y)
        self.classes_ = self.inner_.classes_
        self.left, self.after = None, 0
        return self

    def interrupt_at(self, call):
        """Raise at that call, from 1; None for never."""
        self.left, self.after = call, 0

    def predict_proba(self, X):
        """Return the probabilities, unless it is that call."""
        if self.left is not None:
            self.left -= 1
            self.after += self.left < 0
            if self.left == 0:
                raise KeyboardInterrupt
        return self.inner_.predict_proba(X)

    def predict(self, X):
        """Return the class of the larger probability."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


VERBS = {
    "greedy": lambda study: study.attack("a", columns=["b"], grid=5, random_state=0),
    "genetic": lambda study: study.attack("a", "genetic", columns=["b"], grid=5, random_state=0),
    "gaussian": lambda study: study.attack("a", "gaussian", columns=["b"], grid=5, random_state=0),
    "ranking": lambda study: study.attack("a", grid=5, random_state=0, n_candidates=2),
    "effect": lambda study: study.effect("a", grid=30),
    "cd": lambda study: study.effect("a", kind="cd", grid=30),
    "ale": lambda study: study.effect("a", kind="ale", grid=30),
    "effects": lambda study: study.effects(grid=5),
    "boundary": lambda study: study.boundary(0),
    "boundaries": lambda study: study.boundaries(range(6)),
    "pooled_boundary": lambda study: study.pooled_boundary(range(6)),
    "rules": lambda study: study.rules(0, n_estimators=3),
    "swing_rules": lambda study: study.swing_rules(0, n_estimators=3, prove=True),
    "randomize_model": lambda study: study.randomize_model("a", grid=5, repeats=2),
}


def made(batch_rows=None):
    model = Interrupted().fit(X, y)
    return model, ts.Study(model, X, y, batch_rows=batch_rows, progress=False)


@pytest.mark.parametrize("call", [1, 3, 8])
@pytest.mark.parametrize("verb", VERBS)
def test_no_work_is_begun_after_it(verb, call, monkeypatch):
    monkeypatch.setattr("tauscope.study.effects.attack.MOST_SECONDS_AFTER", 0.0)
    model, study = made(batch_rows=60)
    model.interrupt_at(call)
    with suppress(KeyboardInterrupt, InputError):
        VERBS[verb](study)
    assert model.after <= 1
    model.interrupt_at(None)
    want = made(batch_rows=60)[1].effect("a", grid=5).frame
    pd.testing.assert_frame_equal(study.effect("a", grid=5).frame, want)


def test_an_interrupt_while_columns_are_ranked_is_said():
    model, study = made(batch_rows=60)
    study.effect("a", grid=5)
    model.interrupt_at(2)
    with pytest.raises(InputError, match="stopped before it began: which columns to perturb"):
        study.attack("a", grid=5)
    assert model.after == 0


# these ask the model nothing, once the study is made
WITHOUT_CALLS = {
    "rule_list": lambda study: study.rule_list(n_estimators=2, n_rows=8),
    "distribution": lambda study: study.distribution([0, 1], ["a"], n_estimators=3),
    "same_decision": lambda study: study.same_decision(["a"], n_estimators=3),
    "sufficient": lambda study: study.sufficient(0, n_estimators=3),
    "stress_curves": lambda study: study.stress_curves(taus=3),
    "adjusted curves": lambda study: study.stress_curves(taus=3, hold="means"),
    "stress_surface": lambda study: study.stress_surface("a", "b", taus=3),
    "reweight": lambda study: study.reweight(ts.Mean("a", tau=0.3)),
    "joint_stress": lambda study: study.joint_stress(),
}


@pytest.mark.parametrize("verb", WITHOUT_CALLS)
def test_verbs_that_do_not_ask_the_model_end_wherever_it_comes(verb):
    model = LogisticRegression().fit(X, y)
    check_interrupts(lambda: ts.Study(model, X, y, progress=False), WITHOUT_CALLS[verb])


@pytest.mark.parametrize("call", [1, 2, 7])
def test_a_metric_of_someone_else_is_not_called_again_after_it(call):
    calls = [0]

    def metric(truth, predicted, sample_weight):
        calls[0] += 1
        if calls[0] == call:
            raise KeyboardInterrupt
        return hamming_loss(truth, predicted, sample_weight=sample_weight)

    study = ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)
    with pytest.raises(KeyboardInterrupt):
        study.stress_curves("a", taus=3, metrics=make_scorer(metric))
    assert calls[0] == call
    want = study.stress_curves("a", taus=3, metrics=make_scorer(hamming_loss)).frame["value"]
    assert np.array_equal(study.stress_curves("a", taus=3, metrics=make_scorer(metric)).frame["value"], want)


@pytest.mark.parametrize("fits", [1, 3])
def test_refits_stop_with_those_that_are_done(fits):
    class Refitted(LogisticRegression):
        n_fits = 0

        def fit(self, X, y):
            Refitted.n_fits += 1
            if Refitted.n_fits == fits:
                raise KeyboardInterrupt
            return super().fit(X, y)

    def refit(estimator, n_splits):
        return study.refit_curves(estimator, X, y, n_splits=n_splits, taus=3, random_state=0)

    study = ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)
    if fits == 1:
        with pytest.raises(KeyboardInterrupt):
            refit(Refitted(), 5)
    else:
        found = refit(Refitted(), 5)
        assert (found.n_splits, found.asked_splits) == (2, 5)
        assert "stopped after 2 of 5 refits" in found.notes
    assert Refitted.n_fits == fits
    assert refit(LogisticRegression(), 2).n_splits == 2
