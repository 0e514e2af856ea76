"""Traits given wrongly are refused in our words, without the machinery's frames."""

import traceback

import numpy as np
import pandas as pd
import pytest
import traitlets
from sklearn.linear_model import LogisticRegression

import tauscope as ts

X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
STUDY = ts.Study(LogisticRegression().fit(X, X["a"] > 0), X, X["a"] > 0, progress=False)


def refused(act):
    with pytest.raises(ts.TauscopeError) as caught:
        act()
    assert isinstance(caught.value, traitlets.TraitError)
    return str(caught.value), traceback.extract_tb(caught.tb)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("metric", 3, "metric must be text; got 3."),
        ("stress", 5, "stress must be a dict; got 5."),
        ("tau", "x", "tau must be a number; got 'x'."),
        ("metric", "x", "There is no metric 'x'. There are: "),
        ("tau", 2, "tau must lie in [-1, 1]; got 2."),
    ],
)
@pytest.mark.slow
def test_a_trait_of_a_widget(name, value, words):
    curves = STUDY.stress_curves(taus=3)
    view = curves.widget()
    said, frames = refused(lambda: setattr(view, name, value))
    assert said.startswith(words)
    assert len(frames) <= 4
    said, frames = refused(lambda: curves.widget(**{name: value}))
    assert said.startswith(words)
    assert not [frame for frame in frames if "traitlets" in frame.filename]
    assert getattr(view, name) == getattr(curves.widget(), name)
