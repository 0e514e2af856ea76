"""Two models on the same rows in chunks: the numbers of the rows in memory, and chunks that are not the same."""

import itertools
import pickle

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import tauscope as ts
from chunked.mixed_rows import fitted
from chunked.uneven_chunks import ENDS, MOVED, Asked, N, cut, rows

FEW = ["age", "income"]
STRESSES = {
    "tested": None,
    "moved": MOVED,
    "along tau, gaps": ts.Mean("balance", tau=-0.5),
    "a variance": ts.Variance("age", scale=0.8),
}
METRICS = {
    "binary": ["error_rate", "log_loss", "f1", "brier_score_loss"],
    "multiclass": ["error_rate", "balanced_accuracy"],
    "regression": ["rmse", "mean_absolute_error"],
}


def models(task: str) -> tuple[pd.DataFrame, np.ndarray, object, object]:
    """Return rows, truth, a model of all columns and one of two."""
    X, y = rows(task)
    tree = DecisionTreeRegressor if task == "regression" else DecisionTreeClassifier
    return X, y, fitted(task, X, y), tree(max_depth=4, random_state=0).fit(X[FEW], y)


def both(task: str = "binary") -> tuple[list[ts.Study], list[ts.ChunkedStudy]]:
    X, y, first, second = models(task)
    whole = [ts.Study(first, X, y, progress=False), ts.Study(second, X[FEW], y, progress=False)]
    chunks = cut(X, y), cut(X[FEW], y)
    pairs = zip((first, second), chunks, strict=True)
    return whole, [ts.ChunkedStudy(*each, progress=False) for each in pairs]


def assert_same(got: ts.ModelComparison, want: ts.ModelComparison) -> None:
    """Every number to 1e-9, and every word."""
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-9)
    assert (got.names, got.metrics, got.n_rows) == (want.names, want.metrics, want.n_rows)
    assert str(got) == str(want)


@pytest.mark.slow
@pytest.mark.parametrize("stress", STRESSES)
@pytest.mark.parametrize("task", METRICS)
def test_the_numbers_are_those_of_the_rows_in_memory(task: str, stress: str) -> None:
    whole, chunked = both(task)
    assert_same(ts.compare(*chunked, STRESSES[stress]), ts.compare(*whole, STRESSES[stress]))


@pytest.mark.slow
@pytest.mark.parametrize("task", METRICS)
def test_every_option(task: str) -> None:
    whole, chunked = both(task)
    options = {"metrics": METRICS[task], "confidence": 0.8, "quantile": 0.2, "names": ("old", "new")}
    stress = ts.Mean("age", tau=0.5)
    found = ts.compare(*chunked, stress, **options)
    assert_same(found, ts.compare(*whole, stress, **options))
    assert found.metrics[0].name == METRICS[task][0]
    reweighted = chunked[0].reweight(stress, quantile=0.2)
    pd.testing.assert_frame_equal(ts.compare(*chunked, reweighted, **options).frame, found.frame, rtol=1e-9)


@pytest.mark.slow
def test_weights_and_iterators() -> None:
    X, y, first, second = models("binary")
    weight = np.random.default_rng(3).uniform(0.5, 2, N)
    weight[300:310] = 0  # a chunk without any
    scores = [model.predict_proba(part)[:, 1] for model, part in ((first, X), (second, X[FEW]))]
    guesses = [np.where(score > 0.5, "yes", "no") for score in scores]
    given = list(zip((X, X[FEW]), guesses, scores, strict=True))
    whole = [ts.Study.from_predictions(part, y, *each, sample_weight=weight) for part, *each in given]
    named = {"target": "y", "prediction": "g", "score": "p", "sample_weight": "w"}
    frames = [part.assign(y=y, g=guess, p=score, w=weight) for part, guess, score in given]
    chunked = [
        ts.ChunkedStudy(None, iter([frame[a:b] for a, b in itertools.pairwise(ENDS)]), **named, progress=False)
        for frame in frames
    ]
    for stress in (None, ts.Mean("age", tau=-0.3)):
        assert_same(ts.compare(*chunked, stress), ts.compare(*whole, stress))


@pytest.mark.slow
def test_the_same_model_twice_is_no_different() -> None:
    _, (study, _) = both()
    found = ts.compare(study, study, MOVED, metrics="error_rate").frame
    assert (found["difference"] == 0).all()
    assert (found["n_differing"] == 0).all()
    assert (found["lower"] < 0).all()


@pytest.mark.slow
def test_each_model_is_asked_once_about_each_row() -> None:
    X, y, first, second = models("binary")
    asked = Asked(first, cut(X, y)), Asked(second, cut(X[FEW], y))
    studies = [ts.ChunkedStudy(each, each.read, progress=False, classes=("no", "yes")) for each in asked]
    assert [study.n_rows for study in studies] == [N, N]
    stress = ts.Mean("age", tau=0.3)
    studies[0].reweight(stress)
    before = [each.times[0] for each in asked]
    ts.compare(*studies)
    assert [each.times[0] - times for each, times in zip(asked, before, strict=True)] == [2, 2]
    ts.compare(*studies, stress)
    assert [each.n_rows[0] for each in asked] == [N + 4, N + 4]  # half of the first seven are asked again


@pytest.mark.slow
def test_what_stays_of_a_result() -> None:
    _, chunked = both()
    found = ts.compare(*chunked, MOVED)
    for ask in (lambda: found.under(ts.Mean("age", tau=0.2)), lambda: found.along("age"), lambda: found.along("sex")):
        with pytest.raises(ts.InputError, match=r"^Another stress .+ again, ts\.compare\(.+first\.sample"):
            ask()
    assert str(pickle.loads(pickle.dumps(found))) == str(found)
    assert found.widget().message["offline"].startswith("sliders weight all rows anew")


def changed(
    X: pd.DataFrame, y: np.ndarray, what: str
) -> tuple[list[tuple[pd.DataFrame, np.ndarray]], dict[str, object]]:
    """Return chunks that differ in one way."""
    parts = [(part.copy(), labels.copy()) for part, labels in cut(X, y)]
    part, labels = parts[2]
    if what == "number":
        part.iloc[3, part.columns.get_loc("age")] += 1
    if what == "level":
        part.iloc[3, part.columns.get_loc("sex")] = "F" if part["sex"].iloc[3] == "M" else "M"
    if what == "truth":
        labels[3] = "yes" if labels[3] == "no" else "no"
    if what == "sizes":
        parts = [(X[a:b], y[a:b]) for a, b in itertools.pairwise([0, 7, 301, 310, N])]
    if what == "fewer":
        parts = parts[:-1]
    if what == "weights":
        return [(each.assign(w=1.0), of) for each, of in parts], {"sample_weight": "w"}
    return parts, {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("number", "'age' differs"),
        ("level", "'sex' differs"),
        ("truth", "y or the weights of these studies differ in chunk 3"),
        ("weights", "y or the weights of these studies differ"),
        ("sizes", "chunk 2 has 293 rows in one study and 294 in the other"),
        ("fewer", "their rows are 900 and 310"),
    ],
)
def test_other_rows_are_refused(what: str, words: str) -> None:
    X, y, first, _ = models("binary")
    parts, options = changed(X, y, what)
    studies = (
        ts.ChunkedStudy(first, cut(X, y), progress=False),
        ts.ChunkedStudy(first, parts, progress=False, **options),
    )
    with pytest.raises(ts.InputError, match=words):
        ts.compare(*studies)


@pytest.mark.slow
def test_what_is_refused() -> None:
    whole, chunked = both()
    with pytest.raises(ts.InputTypeError, match="Make both of the same kind"):
        ts.compare(whole[0], chunked[1])
    with pytest.raises(ts.InputTypeError, match="Studies are compared; got 3"):
        ts.compare(chunked[0], 3)
    with pytest.raises(ts.InputError, match=r"A scenario moves sliders.+second\.sample"):
        ts.compare(*chunked, ts.Scenario("older", {"age": 0.3}))
    with pytest.raises(ts.InputError, match=r"metrics of ranks.+compare samples"):
        ts.compare(*chunked, metrics="roc_auc")
    with pytest.raises(ts.InputError, match="At least one metric"):
        ts.compare(*chunked, metrics=[])
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        ts.compare(*chunked, metrics="eror_rate")
    with pytest.raises(ts.InputError, match="names are two different texts"):
        ts.compare(*chunked, names=("a", "a"))
    with pytest.raises(ts.InputError, match="confidence"):
        ts.compare(*chunked, confidence=1.0)
    with pytest.raises(ts.InputError, match="quantile"):
        ts.compare(*chunked, quantile=0.5)
    with pytest.raises(ts.InputError, match="their task are"):
        ts.compare(chunked[0], both("regression")[1][0])
    X, y, first, _ = models("binary")
    frame = dd.from_pandas(X.assign(job=X["job"].fillna("z"), y=y), npartitions=2)
    by_dask = ts.ChunkedStudy.from_dask(first, frame, target="y", progress=False)
    with pytest.raises(ts.InputError, match="Dask's workers read one study at a time"):
        ts.compare(by_dask, chunked[1])
