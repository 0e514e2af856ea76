"""What a page says of an error: its type, what it says, and whether the model raised it."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.views.error_words import error_words, plain_words


def test_errors_are_said_as_a_notebook_does():
    assert error_words(ValueError("no")) == "ValueError: no"
    assert error_words(RuntimeError()) == "RuntimeError"
    assert error_words(ts.InputError("rule")) == "InputError: rule"
    assert plain_words(ts.InputError("rule")) == "rule"
    assert plain_words(ValueError("no")) == "no"


class Failing:
    """A model that answers as long as it is not told to fail."""

    error: Exception | None = None

    def predict(self, X):
        if self.error is not None:
            raise self.error
        return (np.asarray(X)[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("<b>no GPU</b>"), "Your model raised RuntimeError: <b>no GPU</b>"),
        (KeyError("a"), "Your model raised KeyError: 'a'"),
        (MemoryError(), "Your model raised MemoryError"),
    ],
)
@pytest.mark.parametrize("name", ["boundary", "pooled", "effect"])
def test_an_error_of_the_model_is_said_to_be_its_own(name, error, words):
    numbers = np.random.default_rng(0).normal(size=(60, 2))
    model = Failing()
    study = ts.Study(model, pd.DataFrame(numbers, columns=["a", "b"]), (numbers[:, 0] > 0.2).astype(int))
    workspace = study.workspace()
    workspace.selection = [1, 2]
    model.error = error
    workspace.view = name
    workspace.wait(30)
    assert workspace.opened[name]["words"] == words
    workspace.close()


def test_an_error_of_the_model_is_said_by_a_view_of_its_own():
    numbers = np.random.default_rng(0).normal(size=(60, 2))
    model = Failing()
    study = ts.Study(model, pd.DataFrame(numbers, columns=["a", "b"]), (numbers[:, 0] > 0.2).astype(int))
    view = study.boundary(3, random_state=0, n_samples=50).widget()
    model.error = RuntimeError("no GPU")
    view.row = 5
    view.search += 1
    view.wait(30)
    assert view.progress["error"] == "Your model raised RuntimeError: no GPU"
    view.close()
