"""The verb `calibration`: as sums over the rows say it, by group, of one class of several; how often it is right."""

import itertools
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import tauscope as ts
from chunked.mixed_rows import fitted, truth
from chunked.uneven_chunks import (
    ENDS,
    MOVED as OLDER,
    Asked,
    N as N_UNEVEN,
    both,
    both_by_dask,
    both_of_many_scores,
    cut,
    rows,
)
from tauscope.stress.calibration.recalibration import fit_intercept, fit_slope, log_odds
from tauscope.stress.sums import score_order

N = 400
MEASURES = ("calibration_in_the_large", "calibration_intercept", "calibration_slope", "expected_calibration_error")
FITTED = list(MEASURES[:3])
MOVED = ts.Mean("a", tau=0.3)


def population(n, seed, off=0.0):
    """Rows whose scores are calibrated, or `off`."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n), "c": rng.choice(["x", "y"], n)})
    odds = (1.5 * X["a"] + X["b"] - 0.5).to_numpy()
    return X, (rng.random(n) < expit(odds)).astype(int), expit((1 - off) * odds + off)


def study_of(n, seed, off=0.0, **options):
    X, y, score = population(n, seed, off)
    return ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score, **options)


@pytest.fixture(scope="module")
def study():
    return study_of(N, 0, 0.3)


def of(calibration, place=-1):
    """Return the measures of one population."""
    summary = calibration.summary
    return summary[summary["population"] == calibration.populations[place]].set_index("measure")


def by_hand(edges, score, y, weights):
    place = np.searchsorted(edges[1:-1], score)
    there = [k for k in range(len(edges) - 1) if weights[place == k].sum() > 0]
    predicted, observed, share = (
        np.array([np.average(of[place == k], weights=weights[place == k]) for k in there]) for of in (score, y, place)
    )
    share = np.array([weights[place == k].sum() for k in there]) / weights.sum()
    odds = log_odds(score)
    fits = [fit(odds, y.astype(float), weights / weights.sum()).value for fit in (fit_intercept, fit_slope)]
    large = np.average(score - y, weights=weights)
    return predicted, observed, [large, *fits, share @ np.abs(predicted - observed)]


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
def test_as_tested_the_curve_is_scikit_learns(study, strategy):
    found = study.calibration(n_bins=7, strategy=strategy)
    observed, predicted = calibration_curve(study._true_values, study.score, n_bins=7, strategy=strategy)
    np.testing.assert_allclose(found.frame["observed"].astype(float), observed, rtol=1e-12)
    np.testing.assert_allclose(found.frame["predicted"], predicted, rtol=1e-12)
    assert found.strategy == strategy
    assert found.frame["n_rows"].sum() == N
    assert found.changes.empty
    assert found.gaps.empty


@pytest.mark.parametrize("strategy", ["quantile", "uniform"])
@pytest.mark.parametrize("stress", [MOVED, MOVED & ts.Mean("b", shift=0.2)], ids=["one", "two"])
def test_under_a_stress_it_is_what_the_weights_say(study, stress, strategy):
    found = study.calibration(stress, n_bins=6, strategy=strategy)
    reweighted = study.reweight(stress)
    predicted, observed, measures = by_hand(found.edges, study.score, study._true_values, reweighted.weights)
    frame = found.frame[found.frame["population"] == reweighted.population]
    np.testing.assert_allclose(frame["observed"].astype(float), observed, rtol=1e-9)
    np.testing.assert_allclose(frame["predicted"], predicted, rtol=1e-9)
    assert of(found)["value"].tolist() == pytest.approx(measures, rel=1e-7)
    assert frame["share"].sum() == pytest.approx(1)
    assert ((frame["lower"] < frame["observed"]) & (frame["observed"] < frame["upper"])).all()
    pd.testing.assert_frame_equal(found.frame, study.calibration(reweighted, n_bins=6, strategy=strategy).frame)


def test_measures_are_the_metrics_of_reweighting_and_along_tau(study):
    found, table = of(study.calibration(MOVED)), study.reweight(MOVED, metrics=FITTED).metrics
    for name in ("value", "lower", "upper"):
        assert found[name].tolist()[:3] == pytest.approx(table[name].tolist(), rel=1e-9)
    curves = study.stress_curves("a", metrics=FITTED, taus=[-0.3, 0, 0.3])
    assert curves._curves.value[0, :, 2].tolist() == pytest.approx(table["value"].tolist(), rel=1e-7)
    assert curves._curves.upper[0, :, 2].tolist() == pytest.approx(table["upper"].tolist(), rel=1e-4)
    assert of(study.calibration())["value"].tolist()[:3] == pytest.approx(curves._curves.value[0, :, 1].tolist())


def test_a_study_under_a_stress_has_the_same_values(study):
    there, here = (
        study.under(MOVED).calibration(n_bins=5, strategy="uniform"),
        study.calibration(MOVED, n_bins=5, strategy="uniform"),
    )
    assert of(there)["value"].tolist() == pytest.approx(of(here)["value"].tolist(), rel=1e-7)


def test_weights_of_rows_count():
    X, y, score = population(200, 3, 0.4)
    weight = np.random.default_rng(1).integers(1, 4, 200).astype(float)
    made = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score, sample_weight=weight)
    found = made.calibration(n_bins=4)
    predicted, observed, measures = by_hand(found.edges, score, y, weight)
    np.testing.assert_allclose(found.frame["predicted"], predicted, rtol=1e-12)
    np.testing.assert_allclose(found.frame["observed"].astype(float), observed, rtol=1e-12)
    assert of(found)["value"].tolist() == pytest.approx(measures, rel=1e-9)


def test_changes_are_the_differences(study):
    found = study.calibration(MOVED)
    before, after = of(found, 0), of(found)
    changes = found.changes.set_index("measure")
    assert changes.index.tolist() == FITTED
    for name in FITTED:
        assert changes.loc[name, "change"] == pytest.approx(after.loc[name, "value"] - before.loc[name, "value"])
        assert changes.loc[name, "lower"] < changes.loc[name, "change"] < changes.loc[name, "upper"]


def test_groups_have_the_numbers_of_their_rows_alone_and_gaps(study):
    found = study.calibration(by="c", n_bins=5, strategy="uniform")
    alone = study.where(study.X["c"] == "x").calibration(n_bins=5, strategy="uniform")
    mine = found.summary[found.summary["group"] == "x"].set_index("measure")
    for name in ("value", "lower", "upper", "if_calibrated"):
        assert mine[name].tolist() == pytest.approx(of(alone)[name].tolist(), rel=1e-6)
    of_x = found.frame[found.frame["group"] == "x"]
    for name in ("predicted", "observed", "lower", "upper", "ess", "n_rows"):
        np.testing.assert_allclose(of_x[name].astype(float), alone.frame[name].astype(float), rtol=1e-9)
    moved = study.calibration(MOVED, by="c")
    by = study.reweight(MOVED, metrics=FITTED).by("c").gaps
    for name in ("gap", "gap_lower", "gap_upper"):
        assert moved.gaps[name].tolist() == pytest.approx(by[name].tolist(), rel=1e-9)
    assert moved.summary["group"].tolist() == ["x"] * 8 + ["y"] * 8
    assert moved.changes["group"].tolist() == ["x"] * 3 + ["y"] * 3
    assert moved.decomposition["group"].tolist() == ["x", "x", "y", "y"]


def test_the_other_class_is_the_mirror_image(study):
    one, other = study.calibration(MOVED), study.calibration(MOVED, target_class=0)
    mine, its = of(one), of(other)
    assert its.loc["calibration_in_the_large", "value"] == pytest.approx(-mine.loc["calibration_in_the_large", "value"])
    assert its.loc["calibration_intercept", "value"] == pytest.approx(-mine.loc["calibration_intercept", "value"])
    assert its.loc["calibration_slope", "value"] == pytest.approx(mine.loc["calibration_slope", "value"])
    assert (one.target_class, other.target_class) == ("1", "0")


def test_one_class_of_several_is_taken_against_the_others():
    X, y, _ = population(300, 5)
    y = np.where(X["b"] > 0.8, 2, y)
    model = LogisticRegression().fit(X[["a", "b"]], y)
    made = ts.Study(model, X[["a", "b"]], y)
    found = made.calibration(target_class=2, n_bins=4)
    want = by_hand(found.edges, model.predict_proba(X[["a", "b"]])[:, 2], (y == 2).astype(int), np.ones(300))
    assert of(found)["value"].tolist() == pytest.approx(want[2], rel=1e-7)
    with pytest.raises(ts.errors.InputError, match="target_class=0"):
        made.calibration()
    with pytest.raises(ts.errors.UnknownName, match="class"):
        made.calibration(target_class=3)


def test_scores_of_0_and_1_are_said():
    X, y, score = population(200, 6)
    score = np.round(score, 1)
    found = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score).calibration()
    assert found.n_extreme == np.count_nonzero((score == 0) | (score == 1)) > 0
    assert any("half way" in note for note in found.notes)


def test_parted_classes_have_no_slope_and_that_is_said():
    X, _, score = population(200, 7)
    found = ts.Study.from_predictions(X, (score > 0.6).astype(int), (score > 0.5).astype(int), score).calibration()
    assert np.isnan(of(found).loc["calibration_slope", "value"])
    assert of(found).loc["calibration_slope", "reliability"] == "unreliable"
    assert np.isfinite(of(found).loc["calibration_intercept", "value"])
    assert any("No slope" in note for note in found.notes)


def test_few_positives_are_told():
    X, y, score = population(200, 8)
    y = np.where((y == 1) & (np.cumsum(y) > 6), 0, y)
    found = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score).calibration()
    assert "6 effective positives" in of(found).loc["calibration_slope", "note"]
    assert of(found).loc["expected_calibration_error", "reliability"] == "wide"


def test_a_group_without_rows_of_weight_says_so():
    X, y, score = population(200, 9)
    weight = np.where(X["c"] == "x", 1.0, 0.0)
    made = ts.Study.from_predictions(X, y, (score >= 0.5).astype(int), score, sample_weight=weight)
    found = made.calibration(MOVED, by="c")
    empty = found.summary[found.summary["group"] == "y"]
    assert empty["value"].isna().all()
    assert empty["reliability"].eq("unreliable").all()
    assert empty["note"].str.len().gt(0).all()
    assert set(found.frame["group"]) == {"x"}


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"n_bins": 0}, ts.errors.InputError, "n_bins must be 1 to 200; got 0"),
        ({"n_bins": 201}, ts.errors.InputError, "got 201"),
        ({"strategy": "equal"}, ts.errors.UnknownName, "'equal'"),
        ({"target_class": 7}, ts.errors.UnknownName, "7"),
        ({"confidence": 1.5}, ts.errors.InputError, "confidence"),
        ({"quantile": 0.7}, ts.errors.InputError, "quantile"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(study, options, error, words):
    with pytest.raises(error, match=words):
        study.calibration(**options)


def test_studies_without_probabilities_or_truth_are_refused():
    X, y, score = population(100, 4)
    rows = X[["a", "b"]]
    with pytest.raises(ts.errors.InputError, match=r"none\. Give a model with predict_proba.*y_score="):
        ts.Study.from_predictions(X, y, score >= 0.5).calibration()
    with pytest.raises(ts.errors.InputError, match=r"probabilities in \[0, 1\]; these scores go from"):
        ts.Study(LinearSVC().fit(rows, y), rows, y, progress=False).calibration()
    with pytest.raises(ts.errors.InputError, match=r"has none\. Give y"):
        ts.Study.from_predictions(X, None, (score >= 0.5).astype(int), score).calibration()
    with pytest.raises(ts.errors.InputError, match="of a regression"):
        ts.Study.from_predictions(X, score, score**2, task="regression").calibration()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("off", "stress"),
    [(0.0, None), (0.4, ts.Mean("a", target=0.4))],
    ids=["calibrated, as tested", "off, under a stress"],
)
def test_intervals_hold_the_number_of_the_population(off, stress):
    """Of 80 samples of 400 rows: tests of .05 that coverage is .95 pass from 71 on; of all bins together, from .93."""
    X, y, score = population(200_000, 99, off)
    weights = np.ones(len(y)) if stress is None else np.exp(0.4 * X["a"].to_numpy())
    edges = np.linspace(0, 1, 6)
    _, observed, true = by_hand(edges, score, y, weights)
    true = np.array(true) if off else np.array([0.0, 0.0, 1.0, 0.0])
    _, _, before = by_hand(edges, score, y, np.ones(len(y)))
    held, bins, changes = np.zeros(4), [], np.zeros(3)
    for seed in range(80):
        found = study_of(400, seed, off).calibration(stress, n_bins=5, strategy="uniform")
        last = of(found)
        held += (last["lower"] <= true) & (true <= last["upper"])
        frame = found.frame[found.frame["population"] == found.populations[-1]]
        bins += ((frame["lower"] <= observed) & (observed <= frame["upper"])).tolist()
        if stress is not None:
            change = true[:3] - np.array(before[:3]) if off else np.zeros(3)
            changes += (found.changes["lower"] <= change) & (change <= found.changes["upper"])
    assert (held >= 71).all()
    assert np.mean(bins) >= 0.93
    assert stress is None or (changes >= 69).all()


# the same numbers beyond memory

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
@pytest.mark.parametrize("stress", [None, OLDER, ts.Mean("age", shift=0)], ids=["tested", "moved", "kept"])
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
    assert_same(chunked.calibration(OLDER, **options), study.calibration(OLDER, **options))
    with pytest.raises(ts.InputError, match="one against the others"):
        chunked.calibration()
    with pytest.raises(ts.UnknownName, match="midle"):
        chunked.calibration(target_class="midle")


@pytest.mark.slow
def test_weights_scores_of_0_and_1_and_groups_without_weight() -> None:
    X, y = rows()
    score = np.clip(np.round(fitted("binary", X, y).predict_proba(X)[:, 1], 2) * 1.1 - 0.05, 0, 1)
    weight = np.random.default_rng(3).gamma(1, size=N_UNEVEN) * (X["job"] != "b").to_numpy()
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
    assert chunked.n_rows == N_UNEVEN
    times, once = asked.times[0], N_UNEVEN + 4  # of the first seven rows four are asked again
    tested = chunked.calibration()
    assert asked.n_rows[0] == once
    assert asked.times[0] - times == 2 + 1 + 2  # order, cells; a Newton step, as every score has a cell; intervals
    assert_same(tested, ts.Study(asked, X, y, classes=("no", "yes"), progress=False).calibration())
    once = asked.n_rows[0]  # the study in memory asked too
    moved = chunked.reweight(OLDER)
    times = asked.times[0]
    chunked.calibration(moved, by="sex")
    assert asked.times[0] - times == 1 + 2 + 1 + 2  # the groups too; the stress is solved already
    chunked.calibration(ts.Mean("age", tau=0.1))
    assert asked.n_rows[0] == once


@pytest.mark.slow
def test_what_stays_of_a_result() -> None:
    study, chunked = both()
    found = chunked.calibration(by=["sex", "member"], n_bins=3, confidence=0.8)
    assert_same(found.under(OLDER), study.calibration(by=["sex", "member"], n_bins=3, confidence=0.8).under(OLDER))
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found)
    with pytest.raises(ts.InputError, match="left behind"):
        again.under(OLDER)
    assert found.widget().message["offline"].startswith("sliders weight all rows anew")


@pytest.mark.slow
def test_partitions_of_dask() -> None:
    study, by_dask = both_by_dask()
    assert_same(by_dask.calibration(OLDER, by="sex"), study.calibration(OLDER, by="sex"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_bins": 0}, "n_bins must be 1 to 200"),
        ({"strategy": "equal"}, "strategy"),
        ({"by": "race"}, "race"),
        ({"confidence": 1.0}, "confidence"),
        ({"quantile": 0.5}, "quantile"),
        ({"by": np.zeros(N_UNEVEN, bool)}, "told apart by their columns"),
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
