"""Models that answer differently when asked again, and labels that contradict the scores, are noticed and said."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier

import tauscope as ts

X, Y = make_classification(300, 4, n_informative=3, n_redundant=0, n_clusters_per_class=1, n_classes=3, random_state=1)
X = pd.DataFrame(X, columns=list("abcd"))
WORDS = np.array(["bad", "fair", "good"], dtype=object)[Y]
AGAIN, AGAINST = "answers differently when asked again", "the labels contradict the scores in"

RANDOM = np.random.default_rng(3)


def noise(f, X, sd=0.05):
    return f(X) + RANDOM.normal(0, sd, len(X))


def dropout(f, X):
    keep = RANDOM.random(len(X)) > 0.5
    return f(X) * np.where(keep, 2.0, 0.0)


def noise_of_one_seed(f, X):
    return f(X) + np.random.default_rng(0).normal(0, 0.05, len(X))


def scaled_by_the_batch(f, X):
    return f((X - X.mean()) / 2)


def rank_in_the_batch(f, X):
    return pd.Series(f(X)).rank(pct=True).to_numpy() - 0.5


def row_before(f, X):
    return np.concatenate([[0.0], np.cumsum(f(X))[:-1]])


def other_when_alone(f, X):
    return f(X) if len(X) > 200 else f(X) + 0.1


def other_each_time(f, X):
    return f(X) + 0.01 * RANDOM.random()


def as_it_is(f, X):
    return f(X)


def float32(f, X):
    return f(X).astype(np.float32) * np.float32(1 + RANDOM.integers(-2, 3) * 1.2e-7)


def rounding(f, X):
    return f(X) * (1 + RANDOM.uniform(-1e-12, 1e-12, len(X)))


CHANGING = (
    noise, dropout, noise_of_one_seed, scaled_by_the_batch, rank_in_the_batch, row_before, other_when_alone,
    other_each_time,
)  # fmt: skip
STEADY = (as_it_is, float32, rounding)


class Answers:
    """A model whose numbers are changed by a function before they are handed out, as scores, values or labels."""

    def __init__(self, change, kind):
        self.change, self.kind = change, kind
        if kind in ("proba", "decision"):
            self.classes_ = np.array(["no", "yes"], dtype=object)
            setattr(self, "predict_proba" if kind == "proba" else "decision_function", self._scores)

    def number(self, X):
        return self.change(lambda X: X.a.to_numpy() + X.b.to_numpy() / 3, X)

    def _scores(self, X):
        number = self.number(X)
        if self.kind == "decision":
            return number
        p = 1 / (1 + np.exp(-number.astype(float)))
        return np.column_stack([1 - p, p])

    def predict(self, X):
        if self.kind == "value":
            return self.number(X)
        fixed = X.a.to_numpy() + X.b.to_numpy() / 3
        return np.where((self.number(X) if self.kind == "label" else fixed) > 0, "yes", "no")


def answered(change, kind, rows=X):
    y = rows.a if kind == "value" else np.where(rows.c > 0, "yes", "no")
    return ts.Study(Answers(change, kind), rows, y)


@pytest.mark.parametrize("kind", ["proba", "decision", "value"])
@pytest.mark.parametrize("change", CHANGING)
def test_changing_answers_are_said(change, kind):
    study = answered(change, kind)
    (note,) = study.notes
    assert AGAIN in note
    assert f"  {note}" in repr(study).split("\n")
    assert note in study.stress_curves("a", taus=3).notes


@pytest.mark.parametrize("kind", ["proba", "decision", "value", "label"])
@pytest.mark.parametrize("change", STEADY)
def test_rounding_is_no_change(change, kind):
    assert answered(change, kind).notes == ()


def test_changing_labels_are_said_without_an_amount():
    (note,) = answered(lambda f, X: RANDOM.normal(size=len(X)), "label").notes
    assert "of 8 rows changed, in another order" in note


@pytest.mark.parametrize("n", [1, 2, 3, 8, 17])
def test_studies_of_few_rows(n):
    assert AGAIN in answered(noise, "value", X[:n]).notes[0]
    study = answered(as_it_is, "value", X[:n])
    assert study.notes == ()
    assert study.n_model_rows == n + min(8, (n + 1) // 2)


@pytest.mark.parametrize("container", [lambda X: X, lambda X: pl.from_pandas(X), np.asarray, sp.csr_array])
def test_the_rows_asked_again_are_in_the_container_of_the_study(container):
    model = LogisticRegression().fit(X.to_numpy(), Y)
    rows = container(X) if container is not sp.csr_array else sp.csr_array(X.to_numpy())
    predict = lambda rows: model.predict_proba(np.asarray(rows.todense() if sp.issparse(rows) else rows))  # noqa: E731
    assert ts.Study(predict, rows, Y).notes == ()
    shuffled = lambda rows: RANDOM.permutation(predict(rows))  # noqa: E731
    assert AGAIN in ts.Study(shuffled, rows, Y).notes[0]


def test_a_model_that_cannot_be_asked_again_is_said():
    stored = LogisticRegression().fit(X, Y).predict_proba(X)
    (note,) = ts.Study(lambda rows: stored, X, Y).notes
    assert note.startswith("the model cannot be asked again about 8 of its rows: InputError: A model must return shape")


def test_other_labels_the_second_time_are_said():
    answers = iter([WORDS, np.array(["new"] * 8, dtype=object)])
    (note,) = ts.Study(lambda rows: next(answers), X, WORDS).notes
    assert note.startswith("the model answers in another form when asked again about 8 of its rows: ")


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize("change", [*CHANGING, *STEADY])
def test_chunks_ask_again_about_the_first(change, again):
    model = Answers(change, "proba")
    y = np.where(X.c > 0, "yes", "no")
    chunks = [(X[:250], y[:250]), (X[250:], y[250:])]
    chunked = ts.ChunkedStudy(model, chunks if again else iter(chunks), progress=False)
    curves = chunked.stress_curves("a", taus=3)
    assert all(AGAIN in note for note in chunked.notes)
    assert len(chunked.notes) == (change in CHANGING)
    assert set(chunked.notes) <= set(curves.notes)
    assert repr(chunked).split("\n")[1:] == [f"  {note}" for note in chunked.notes]


class Swapped:
    """A model whose scores are those of the other class."""

    def __init__(self, X, y):
        self.model = LogisticRegression().fit(X, y)
        self.classes_ = self.model.classes_
        self.predict = self.model.predict

    def predict_proba(self, X):
        return self.model.predict_proba(X)[:, ::-1]

    def decision_function(self, X):
        return -self.model.decision_function(X)


BINARY = np.where(Y == 1, "yes", "no")


@pytest.mark.parametrize("pos_label", [None, "no", "yes"])
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
@pytest.mark.parametrize("y", [BINARY, WORDS])
def test_labels_that_contradict_most_scores(y, method, pos_label):
    pos_label = pos_label if y is BINARY else None
    asked = {"response_method": method, "pos_label": pos_label}
    assert ts.Study(LogisticRegression().fit(X, y), X, y, **asked).notes == ()
    if y is BINARY:
        (note,) = ts.Study(Swapped(X, y), X, y, **asked).notes
        assert note.startswith(f"{AGAINST} 100 % of rows")


@pytest.mark.parametrize(("threshold", "said"), [(0.3, False), (0.7, False), (1e-9, True)])
def test_another_threshold_is_said_where_it_changes_most_labels(threshold, said):
    model = FixedThresholdClassifier(LogisticRegression(), threshold=threshold).fit(X, BINARY)
    notes = ts.Study(model, X, BINARY).notes
    assert [note[: len(AGAINST)] for note in notes] == [AGAINST] * said


def test_scores_made_elsewhere():
    model = LogisticRegression().fit(X, BINARY)
    p = model.predict_proba(X)[:, 1]
    labels = model.predict(X)
    for score, said in ((p, 0), (1 - p, 1), (np.log(p / (1 - p)), 0), (model.predict_proba(X), 0)):
        study = ts.Study.from_predictions(X, BINARY, y_pred=labels, y_score=score)
        assert len(study.notes) == said
        chunk = (X, BINARY, labels, score)
        assert ts.ChunkedStudy(None, [chunk], progress=False).notes == study.notes
    other_way = ts.Study.from_predictions(X, BINARY, y_pred=labels, y_score=1 - p, pos_label="no")
    assert other_way.notes == ()


def test_what_is_said_of_a_study_is_said_of_all_that_are_made_of_it():
    study = answered(noise, "proba")
    assert study.notes
    curves = study.stress_curves("a", taus=3)
    assert pickle.loads(pickle.dumps(curves)).source.notes == study.notes
    assert study.where(X.a > 0).notes == study.notes
    assert study.under(ts.Mean("a", tau=0.2)).notes == study.notes
    assert study.with_model(LinearAnswers()).notes == ()
    assert LinearAnswers.n_rows == 2 * (300 + 8)
    assert study.workspace().message["notes"] == list(study.notes)


class LinearAnswers:
    """A steady model that counts the rows it is asked about."""

    classes_ = np.array(["no", "yes"], dtype=object)
    n_rows = 0

    def predict(self, X):
        LinearAnswers.n_rows += len(X)
        return np.where(X.a > 0, "yes", "no")

    def predict_proba(self, X):
        LinearAnswers.n_rows += len(X)
        p = 1 / (1 + np.exp(-X.a.to_numpy()))
        return np.column_stack([1 - p, p])


def test_a_regression_of_large_values_is_steady():
    y = 1e9 + 1e3 * X.a
    assert ts.Study(LinearRegression().fit(X, y), X, y).notes == ()
