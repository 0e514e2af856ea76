"""ROC AUC and average precision of rows in chunks: those in memory within the bound that the note says."""

import re

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.errors import InputError
from tauscope.rows.score_steps import MOST_BYTES, most_steps
from tauscope.study.study import Study

N = 4000
TAUS = [-0.6, 0.0, 0.5]
RANKS = ["roc_auc", "average_precision"]
RANDOM = np.random.default_rng(5)
ROWS = pd.DataFrame({"a": RANDOM.normal(size=N), "b": RANDOM.normal(size=N), "c": RANDOM.integers(0, 5, N) * 1.0})
SCORE = 1 / (1 + np.exp(1.5 - (ROWS["a"] + 0.6 * ROWS["b"]).to_numpy()))
TRUTH = (RANDOM.uniform(size=N) < SCORE).astype(int)
WEIGHT = RANDOM.uniform(0.3, 3, N)
NAMES = {"target": "y", "prediction": "guess", "score": "score", "progress": False}
WEIGHTS = pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])


def both(score, weight=None, rows=ROWS):
    guess = (score > 0.5).astype(int)
    whole = Study.from_predictions(rows, TRUTH, guess, score, sample_weight=weight)
    data = rows.assign(y=TRUTH, guess=guess, score=score)
    data, named = (data, NAMES) if weight is None else (data.assign(w=weight), NAMES | {"sample_weight": "w"})
    return whole, ts.ChunkedStudy(None, [data[:900], data[900:1000], data[1000:]], **named)


def bounds_in(notes):
    found = [re.fullmatch(r"(.*): scores in (\d+) steps, off by at most (0\.\d+)", note) for note in notes]
    return {one[1]: float(one[3]) for one in found if one and int(one[2]) <= 256}


@pytest.mark.slow
@WEIGHTS
def test_curves_are_those_in_memory_within_the_bound(weight):
    whole, chunked = both(SCORE, weight)
    want = whole.stress_curves(metrics=[*RANKS, "f1"], taus=TAUS)._curves
    result = chunked.stress_curves(metrics=[*RANKS, "f1"], taus=TAUS)
    got, bounds = result._curves, bounds_in(result.notes)
    assert list(bounds) == ["ROC AUC", "average precision"]
    for i, bound in enumerate(bounds.values()):
        off = np.abs(got.value - want.value)[:, i]
        assert 0 < off.max() <= bound
        assert off.max() < [1e-3, 5e-3][i]
    np.testing.assert_allclose(got.value[:, 2], want.value[:, 2], rtol=1e-7)
    np.testing.assert_allclose(got.upper - got.lower, want.upper - want.lower, rtol=0.03)
    np.testing.assert_array_equal(got.reason, want.reason)
    assert result.metric_names == (*RANKS, "f1")


@pytest.mark.slow
@WEIGHTS
def test_tied_scores_give_the_numbers_in_memory_and_no_note(weight, tmp_path):
    whole, chunked = both(np.round(SCORE, 2), weight)
    want = whole.stress_curves(metrics=RANKS, taus=TAUS)._curves
    sketch = chunked.sketch(metrics=RANKS)
    sketch.save(tmp_path / "sketch.npz")
    loaded = ts.StressSketch.load(tmp_path / "sketch.npz")
    for one in (chunked, sketch, loaded, loaded.empty() + sketch):
        got = one.stress_curves(metrics=RANKS, taus=TAUS)
        np.testing.assert_allclose(got._curves.value, want.value, rtol=1e-9)
        np.testing.assert_allclose(got._curves.lower, want.lower, rtol=2e-3)
        assert not bounds_in(got.notes)


@pytest.mark.slow
@WEIGHTS
def test_reweighting_gives_the_numbers_in_memory(weight):
    moved = ts.Mean("a", tau=0.6) & ts.Mean("b", tau=-0.4)
    whole, chunked = both(np.round(SCORE, 2), weight)
    want, got = whole.reweight(moved, metrics=RANKS), chunked.reweight(moved, metrics=RANKS)
    pd.testing.assert_frame_equal(got.metrics, want.metrics, rtol=1e-6)
    assert not bounds_in(got.notes)
    whole, chunked = both(SCORE, weight)
    want, got = whole.reweight(moved, metrics=RANKS), chunked.reweight(moved, metrics=RANKS)
    off = np.abs(got.metrics[["before", "value"]] - want.metrics[["before", "value"]]).max(axis=1)
    assert (off <= list(bounds_in(got.notes).values())).all()
    assert (off < [1e-3, 5e-3]).all()
    widths = [(one.metrics["upper"] - one.metrics["lower"]).astype(float) for one in (got, want)]
    np.testing.assert_allclose(*widths, rtol=0.03)


@pytest.mark.slow
def test_without_a_class_there_is_nothing_to_rank():
    rows = ROWS.assign(level=np.where(TRUTH == 1, np.where(ROWS["a"] > 0, "x", "y"), "z"))
    whole, chunked = both(SCORE, rows=rows)
    for one in (whole, chunked):
        frame = one.stress_curves("level", metrics=RANKS, taus=[0.0, 1.0]).frame
        last = frame[(frame["tau"] == 1) & frame["feature"].str.contains("x")]
        assert len(last) == 2
        assert last["value"].isna().all()
        assert last["reliability"].eq("unreliable").all()


@pytest.mark.slow
def test_a_class_without_weight_is_not_ranked():
    data = ROWS.assign(y=TRUTH, guess=TRUTH, score=SCORE, w=np.where(TRUTH == 1, 0.0, WEIGHT))
    chunked = ts.ChunkedStudy(None, [data[:900], data[900:]], sample_weight="w", **NAMES)
    with pytest.raises(InputError, match="y must hold both classes"):
        chunked.stress_curves(metrics=RANKS)
    metrics = chunked.reweight(ts.Mean("a", tau=0.5), metrics=RANKS).metrics
    assert metrics[["before", "value"]].isna().all(axis=None)
    assert metrics["reliability"].eq("unreliable").all()


@pytest.mark.slow
def test_rows_added_later_fall_into_the_steps():
    score = np.round(SCORE, 2)
    whole, chunked = both(score)
    sketch = chunked.sketch(metrics=RANKS)
    data = ROWS.assign(y=TRUTH, guess=(score > 0.5).astype(int), score=score)
    again = sketch.empty().update(data[:1500]).update(data[1500:])
    want = whole.stress_curves(metrics=RANKS, taus=TAUS)._curves.value
    np.testing.assert_allclose(again.stress_curves(metrics=RANKS, taus=TAUS)._curves.value, want, rtol=1e-7)
    other = both(np.round(SCORE, 1))[1].sketch(metrics=RANKS)
    with pytest.raises(InputError, match="same steps of the score"):
        sketch + other


def test_rows_that_cannot_be_ranked_say_what_they_lack():
    data = ROWS.assign(guess=TRUTH, y=TRUTH)
    chunked = ts.ChunkedStudy(None, [data], target="y", prediction="guess", progress=False)
    for ask in (chunked.stress_curves, lambda **options: chunked.reweight(ts.Mean("a", tau=0.5), **options)):
        with pytest.raises(InputError, match="score"):
            ask(metrics="roc_auc")
    numbers = ts.ChunkedStudy(None, [data.assign(y=SCORE, guess=SCORE)], target="y", prediction="guess", progress=False)
    with pytest.raises(InputError, match=r"'average_precision_score' needs two classes, y and scores"):
        numbers.stress_curves(metrics="average_precision_score")


def test_many_columns_have_fewer_steps():
    _, chunked = both(SCORE)
    first = chunked._first_pass(chunked._passes(), ordered=True)
    layouts = [None] * len(first.columns)
    assert most_steps(first.columns[2:], layouts[2:], weighted=False) == 256
    assert most_steps(first.columns[:1] * 100, layouts[:1] * 100, weighted=True) == 32
    some = most_steps(first.columns[:1] * 10, layouts[:1] * 10, weighted=False)
    assert 32 < some < 256
    assert 4 * 8 * some * 10 * N <= MOST_BYTES
