"""Calibration of rows in chunks: the numbers of the rows in memory, and how often rows are read and the model asked."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, truth
from chunked.uneven_chunks import ENDS, MOVED, Asked, N, both, both_by_dask, both_of_many_scores, cut, rows
from tauscope.stress.chunked import score_order

TABLES = ("frame", "summary", "changes", "gaps", "scores")


def assert_same(
    got: ts.Calibration, want: ts.Calibration, tables: tuple[str, ...] = (*TABLES, "decomposition")
) -> None:
    """Every number to 1e-9, and every word."""
    for name in tables:
        pd.testing.assert_frame_equal(getattr(got, name), getattr(want, name), rtol=1e-9, atol=1e-9, obj=name)
    np.testing.assert_array_equal(got.edges, want.edges)
    assert (got.populations, got.target_class, got.n_extreme) == (want.populations, want.target_class, want.n_extreme)
    assert got.ess == pytest.approx(want.ess, rel=1e-9)
    for one, other in zip(got.groups, want.groups, strict=True):
        assert (one.label, one.n_rows) == (other.label, other.n_rows)
        shares = [(each.share_before, each.share, each.ess) for each in (one, other)]
        assert shares[0] == pytest.approx(shares[1], rel=1e-9)
    if "decomposition" in tables:
        assert str(got) == str(want)


@pytest.mark.slow
@pytest.mark.parametrize("stress", [None, MOVED, ts.Mean("age", shift=0)], ids=["tested", "moved", "kept"])
@pytest.mark.parametrize("by", [None, "job", ["sex", "member"]], ids=str)
def test_the_numbers_are_those_of_the_rows_in_memory(stress: object, by: object) -> None:
    study, chunked = both()
    options = {"by": by, "n_bins": 5, "confidence": 0.9}
    assert_same(chunked.calibration(stress, **options), study.calibration(stress, **options))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "uniform"},
        {"n_bins": 1},
        {"n_bins": 200, "strategy": "uniform", "by": "sex"},
        {"target_class": "no", "quantile": 0.2},
    ],
    ids=str,
)
def test_every_option(options: dict[str, object]) -> None:
    study, chunked = both()
    stress = ts.Mean("balance", tau=-0.5)
    assert_same(chunked.calibration(stress, **options, progress=False), study.calibration(stress, **options))


@pytest.mark.slow
def test_one_class_of_several() -> None:
    study, chunked = both("multiclass")
    options = {"target_class": "middle", "by": "sex"}
    assert_same(chunked.calibration(MOVED, **options), study.calibration(MOVED, **options))
    with pytest.raises(ts.InputError, match="one against the others"):
        chunked.calibration()
    with pytest.raises(ts.UnknownName, match="midle"):
        chunked.calibration(target_class="midle")


@pytest.mark.slow
def test_weights_scores_of_0_and_1_and_groups_without_weight() -> None:
    X, y = rows()
    score = np.clip(np.round(fitted("binary", X, y).predict_proba(X)[:, 1], 2) * 1.1 - 0.05, 0, 1)
    weight = np.random.default_rng(3).gamma(1, size=N) * (X["job"] != "b").to_numpy()
    weight[300:310] = 0  # a chunk without any, whose scores still count for the edges of bins
    guess = np.where(score > 0.5, "yes", "no")
    study = ts.Study.from_predictions(X, y, guess, score, sample_weight=weight)
    frames = [X[a:b].assign(y=y[a:b], g=guess[a:b], p=score[a:b], w=weight[a:b]) for a, b in itertools.pairwise(ENDS)]
    options = {"target": "y", "prediction": "g", "score": "p", "sample_weight": "w", "progress": False}
    chunked = ts.ChunkedStudy(None, iter(frames), **options)
    for stress, by in itertools.product((None, ts.Mean("age", tau=-0.3)), (None, "job")):
        found, want = chunked.calibration(stress, by=by), study.calibration(stress, by=by)
        assert_same(found, want)
        assert found.n_extreme > 0
    assert found.summary.loc[found.summary["group"] == "b", "value"].isna().all()


@pytest.mark.slow
def test_many_scores_have_exact_edges_and_parts_of_the_brier_score_within_the_bound(monkeypatch) -> None:
    study, chunked = both_of_many_scores()
    for most in (None, 2**10):
        if most:
            monkeypatch.setattr(score_order, "MOST_SUMS", most)
        found, want = (each.calibration(ts.Mean("a", tau=0.3), by="c") for each in (chunked, study))
        assert_same(found, want, TABLES)
        (words,) = found.bounds
        assert found.notes[-1] == words
        bound = float(words.split("at most ")[1].rstrip(".").replace("−", "-"))
        parts = ["brier_score", "miscalibration", "discrimination", "uncertainty"]
        short = want.decomposition[parts] - found.decomposition[parts]
        for name in ("miscalibration", "discrimination"):
            assert ((short[name] >= -1e-12) & (short[name] <= bound)).all()
        assert short["miscalibration"].max() > 1e-12
        for name in ("brier_score", "uncertainty"):
            np.testing.assert_allclose(found.decomposition[name], want.decomposition[name], rtol=1e-9)
        assert bound < (0.01 if most else 0.001)


@pytest.mark.slow
def test_no_fit_where_scores_part_the_classes_or_one_is_missing() -> None:
    random = np.random.default_rng(2)
    X = pd.DataFrame({"a": random.normal(size=300), "c": np.repeat(["parted", "alone", "flat"], 100)})
    score = np.concatenate([random.random(200), np.full(100, 0.4)])
    y = np.concatenate([score[:100] > 0.5, np.ones(100, bool), random.random(100) < 0.5]).astype(int)
    study = ts.Study.from_predictions(X, y, (score > 0.5).astype(int), score)
    chunks = [(X[a : a + 70], y[a : a + 70], None, score[a : a + 70]) for a in range(0, 300, 70)]
    chunked = ts.ChunkedStudy(None, chunks, classes=(0, 1), progress=False)
    found, want = (each.calibration(ts.Mean("a", shift=0.2), by="c") for each in (chunked, study))
    assert_same(found, want)
    slopes = found.summary[found.summary["measure"] == "calibration_slope"]
    assert slopes["value"].isna().all()


@pytest.mark.slow
def test_the_model_is_asked_once_about_each_row() -> None:
    X, y = rows()
    asked = Asked(fitted("binary", X, y), cut(X, y))
    chunked = ts.ChunkedStudy(asked, asked.read, progress=False, classes=("no", "yes"))
    assert chunked.n_rows == N
    times, n_rows = asked.times[0], asked.n_rows[0]
    tested = chunked.calibration()
    assert asked.n_rows[0] - n_rows == N
    assert asked.times[0] - times == 2 + 1 + 2  # order, cells; a Newton step, as every score has a cell; intervals
    assert_same(tested, ts.Study(asked, X, y, classes=("no", "yes"), progress=False).calibration())
    n_rows = asked.n_rows[0]
    moved = chunked.reweight(MOVED)
    n_rows, times = asked.n_rows[0], asked.times[0]
    chunked.calibration(moved, by="sex")
    assert asked.n_rows[0] - n_rows == N
    assert asked.times[0] - times == 1 + 2 + 1 + 2  # the groups too; the stress is solved already
    n_rows = asked.n_rows[0]
    chunked.calibration(ts.Mean("age", tau=0.1))
    assert asked.n_rows[0] - n_rows == N  # the stress and its metrics included


@pytest.mark.slow
def test_what_stays_of_a_result() -> None:
    study, chunked = both()
    found = chunked.calibration(by=["sex", "member"], n_bins=3, confidence=0.8)
    assert_same(found.under(MOVED), study.calibration(by=["sex", "member"], n_bins=3, confidence=0.8).under(MOVED))
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    with pytest.raises(ts.InputError, match="left behind"):
        again.under(MOVED)
    assert found.widget().message["offline"].startswith("sliders weight all rows anew")


@pytest.mark.slow
def test_partitions_of_dask() -> None:
    study, by_dask = both_by_dask()
    assert_same(by_dask.calibration(MOVED, by="sex"), study.calibration(MOVED, by="sex"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_bins": 0}, "n_bins must be 1 to 200"),
        ({"strategy": "equal"}, "strategy"),
        ({"by": "race"}, "race"),
        ({"confidence": 1.0}, "confidence"),
        ({"quantile": 0.5}, "quantile"),
        ({"by": np.zeros(N, bool)}, "told apart by their columns"),
        ({"stress": ts.Scenario("older", {"age": 0.3})}, r"A scenario moves sliders.+sample\(\)\.calibration"),
    ],
    ids=str,
)
def test_what_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ts.TauscopeError, match=words):
        both()[1].calibration(**options)


@pytest.mark.slow
def test_what_has_no_probabilities_or_no_truth() -> None:
    X, y = rows()
    for task, words in (("regression", "of a regression"), ("margins", r"go from -\d")):
        truths = truth(X, "regression" if task == "regression" else "binary")
        with pytest.raises(ts.InputError, match=words):
            ts.ChunkedStudy(fitted(task, X, truths), cut(X, truths), progress=False).calibration()
    model = fitted("binary", X, y)
    with pytest.raises(ts.InputError, match="true labels"):
        ts.ChunkedStudy(model, [X[:100], X[100:]], progress=False).calibration()
    labels = [(part, labels, model.predict(part)) for part, labels in cut(X, y)]
    with pytest.raises(ts.InputError, match="this study has none"):
        ts.ChunkedStudy(None, labels, progress=False).calibration()
