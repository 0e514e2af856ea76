"""Columns of scores that are named by their classes are taken by name, in any order, container and way they come."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tauscope as ts
from tauscope.model.class_columns import check_lone_score, find_columns

N = 40
CLASSES = {
    "text": ("bad", "fair", "good"),
    "two texts": ("no", "yes"),
    "ints": (0, 1),
    "ints from 1": (1, 2, 3),
    "negative": (-1, 1),
    "floats": (0.0, 1.0, 2.5),
    "bools": (False, True),
    "NumPy": (np.int64(3), np.int64(7)),
}
NAMES = {
    "classes": lambda label: label,
    "text": str,
    "NumPy": lambda label: np.asarray(label)[()],
    "words before": lambda label: f"proba_{label}",
    "words around": lambda label: f"p({label})",
}
CONTAINERS = {
    "pandas": lambda scores, names: pd.DataFrame(scores, columns=pd.Index(names, dtype=object)),
    "polars": lambda scores, names: pl.DataFrame(dict(zip(map(str, names), scores.T, strict=True))),
    "Arrow": lambda scores, names: pa.table(dict(zip(map(str, names), scores.T, strict=True))),
}
METHODS = ("predict_proba", "decision_function")


def rows(classes):
    """Return rows whose first columns are the scores of each class, and labels that do not follow from them."""
    rng = np.random.default_rng(len(classes))
    scores = rng.dirichlet(np.ones(len(classes)), size=N)
    y = np.array(classes, dtype=object)[np.arange(N) % len(classes)]
    return pd.DataFrame(scores, columns=[f"score {k}" for k in range(len(classes))]), y


def answer(X, order, name, container, classes):
    return container(X.to_numpy()[:, order], [name(classes[k]) for k in order])


class Frames:
    """A model that returns scores in a frame whose columns are in an order of its own, another in each batch."""

    def __init__(self, classes, name, container, method="predict_proba"):
        self.classes_, self.known = np.array(classes), classes
        self.name, self.container, self.n_calls = name, container, 0
        setattr(self, method, self._scores)

    def _scores(self, X):
        self.n_calls += 1
        order = np.roll(np.arange(len(self.known))[::-1], self.n_calls)
        return answer(X, order, self.name, self.container, self.known)

    def predict(self, X):
        return self.classes_[X.to_numpy().argmax(1)]


def scores_of(study):
    return study.score


def expected(X, classes):
    return X.to_numpy()[:, 1] if len(classes) == 2 else X.to_numpy()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("classes", CLASSES)
def test_a_model_that_names_its_columns(classes, name, container, method):
    classes = CLASSES[classes]
    X, y = rows(classes)
    model = Frames(classes, NAMES[name], CONTAINERS[container], method)
    study = ts.Study(model, X, y, batch_rows=15)
    assert np.array_equal(scores_of(study), expected(X, classes))
    assert np.array_equal(study.predict(X[:7]).predicted, X[:7].to_numpy().argmax(1))


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("reverse", [False, True])
def test_a_function_and_scores_made_elsewhere(classes, container, reverse):
    classes = CLASSES[classes]
    X, y = rows(classes)
    order = np.arange(len(classes))[::-1] if reverse else np.arange(len(classes))
    frame = lambda X: answer(X, order, str, CONTAINERS[container], classes)  # noqa: E731
    made = ts.Study.from_predictions(X, y, y_score=frame(X))
    beside = ts.Study.from_predictions(X, y, y_pred=y, y_score=frame(X))
    for study in (ts.Study(frame, X, y), made, beside):
        assert study.classes == tuple(np.array(classes).tolist())
        assert np.array_equal(scores_of(study), expected(X, classes))
    assert np.array_equal(made.predicted, X.to_numpy().argmax(1))


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("kind", ["model", "function", "made elsewhere"])
def test_chunks(kind, container, again):
    classes = CLASSES["text"]
    X, y = rows(classes)
    parts = [slice(0, 11), slice(11, 26), slice(26, N)]
    orders = [[2, 0, 1], [0, 1, 2], [1, 2, 0]]

    def frame(X):
        return answer(X, orders[len(X) % 3], str, CONTAINERS[container], classes)

    model = {"model": Frames(classes, str, CONTAINERS[container]), "function": frame}.get(kind)
    chunks = [(X[part], y[part]) if model else (X[part], y[part], None, frame(X[part])) for part in parts]
    chunked = ts.ChunkedStudy(model, chunks if again else iter(chunks), progress=False)
    asked = {"taus": 3, "metrics": ["error_rate", "log_loss"]}
    found = chunked.stress_curves("score 0", **asked).frame
    whole = ts.Study.from_predictions(X, y, y_score=X.to_numpy()).stress_curves("score 0", **asked).frame
    assert np.allclose(found.value, whole.value, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_every_verb_that_asks_again_reads_the_names(method):
    classes = CLASSES["two texts"]
    X, y = rows(classes)
    named = ts.Study(Frames(classes, str, CONTAINERS["pandas"], method), X, y)
    plain = Frames(classes, str, lambda scores, names: np.column_stack([scores[:, names.index(c)] for c in classes]))
    plain = ts.Study(plain, X, y)
    effects = [study.effect("score 1", grid=5).frame for study in (named, plain)]
    assert np.array_equal(effects[0].effect, effects[1].effect)
    flips = [study.boundary(3, random_state=0) for study in (named, plain)]
    assert flips[0].distance == flips[1].distance


def test_names_may_be_all_that_tells_the_classes():
    X, _ = rows(CLASSES["text"])
    assert ts.Study(lambda X: answer(X, [2, 0, 1], str, CONTAINERS["pandas"], CLASSES["text"]), X).classes == (
        "good",
        "bad",
        "fair",
    )
    y = np.array(["bad", "good"] * (N // 2), dtype=object)
    study = ts.Study(lambda X: answer(X, [2, 0, 1], str, CONTAINERS["polars"], CLASSES["text"]), X, y)
    assert study.classes == ("good", "bad", "fair")
    numbered = ts.Study(lambda X: pl.DataFrame(X.to_numpy(), schema=["column_0", "column_1", "column_2"]), X)
    assert numbered.classes == (0, 1, 2)


@pytest.mark.parametrize(
    ("names", "classes", "places"),
    [
        (("b", "a"), ("a", "b"), [1, 0]),
        ((1, 0), (False, True), [1, 0]),
        (("1", "0"), (False, True), [1, 0]),
        (("true", "false"), (0, 1), [1, 0]),
        (("1.0", "0"), (0, 1), [1, 0]),
        (("1", 1), (1, "1"), [1, 0]),
        ((np.str_("b"), np.str_("a")), ("a", "b"), [1, 0]),
        (("score of a1", "score of a"), ("a", "a1"), [1, 0]),
        (("q", "r"), ("a", "b"), None),
        ((0, 1, 2), (1, 2, 3), None),
        (("prob_0", "prob_1"), (1, 2), None),
        (("a", "b", "c"), ("a", "b"), None),
        ((("a", "x"), ("b", "x")), ("a", "b"), [0, 1]),
        (("nan", "inf"), ("inf", "nan"), [1, 0]),
    ],
)
def test_which_column_is_of_which_class(names, classes, places):
    assert find_columns(names, classes) == places


@pytest.mark.parametrize("names", [("no", "maybe"), ("maybe", "yes"), ("yes", "x")])
def test_names_of_which_some_are_classes_are_refused(names):
    X, y = rows(CLASSES["two texts"])
    with pytest.raises(ts.InputError, match=re.escape(f"or by none; got {list(names)!r}. Rename")):
        ts.Study(lambda X: pd.DataFrame(X.to_numpy(), columns=names), X, y)


def test_two_columns_of_one_name_are_refused():
    X, y = rows(CLASSES["two texts"])
    with pytest.raises(ts.InputError, match="different names; got \\['yes', 'yes'\\]"):
        ts.Study(lambda X: pd.DataFrame(X.to_numpy(), columns=["yes", "yes"]), X, y)


def test_batches_of_other_names_are_refused():
    X, y = rows(CLASSES["two texts"])
    names = iter([["no", "yes"], ["q", "r"]])
    with pytest.raises(ts.InputError, match=r"alike .* \['no', 'yes'\] and then \['q', 'r'\]"):
        ts.Study(lambda X: pd.DataFrame(X.to_numpy(), columns=next(names)), X, y, batch_rows=N // 2)


@pytest.mark.parametrize("pos_label", [None, "no"])
def test_one_column_is_of_the_positive_class(pos_label):
    X, y = rows(CLASSES["two texts"])
    right, wrong = ("no", "yes") if pos_label else ("yes", "no")

    def named(name):
        return ts.Study(lambda X: X[["score 1"]].set_axis([name], axis=1), X, y, pos_label=pos_label)

    for name in (right, "p", 0):
        assert np.array_equal(named(name).score, X["score 1"])
    with pytest.raises(ts.InputError, match=f"One column of scores must be of the class '{right}'; got one named"):
        named(wrong)


def test_a_column_that_nobody_named_is_taken_as_it_is():
    check_lone_score(0, (0, 1), other_side=False)
    with pytest.raises(ts.InputError):
        check_lone_score("a", ("a", "b"), other_side=False)
    with pytest.raises(ts.InputError):
        check_lone_score("b", ("a", "b"), other_side=True)
