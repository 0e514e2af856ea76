"""Metrics by group: a groupby by hand, scikit-learn's functions group by group, and how often the intervals hold."""

import inspect
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, f1_score, log_loss, precision_score, recall_score, roc_auc_score

import tauscope as ts
from tauscope.results.stress.by_group import OF_GAPS


def drawn(random, n):
    sex = random.choice(["F", "M"], n, p=[0.4, 0.6])
    age = random.normal(40, 10, n) + 3 * (sex == "M")
    X = pd.DataFrame({"age": age, "sex": sex, "job": random.choice(["a", "b", None], n)})
    score = 1 / (1 + np.exp(-(age - 45) / 8))
    chance = 1 / (1 + np.exp(-(age - 45) / 8 + 0.7 * (sex == "F")))
    return ts.Study.from_predictions(X, (random.random(n) < chance) * 1, (score > 0.5) * 1, y_score=score)


@cache
def study():
    return drawn(np.random.default_rng(1), 1200)


NOTHING = ts.Mean("age", shift=0)
METRICS = ["error_rate", "portion_1", "mean_score", "f1", "log_loss", "roc_auc"]


def by_hand(name, truth, predicted, score, w):
    return {
        "error_rate": lambda: np.average(truth != predicted, weights=w),
        "portion_1": lambda: np.average(predicted, weights=w),
        "mean_score": lambda: np.average(score, weights=w),
        "f1": lambda: 2 * w @ (truth * predicted) / (w @ truth + w @ predicted),
        "log_loss": lambda: -np.average(np.log(np.where(truth == 1, score, 1 - score)), weights=w),
        "roc_auc": lambda: roc_auc_score(truth, score, sample_weight=w),
    }[name]()


@pytest.mark.parametrize("verb", [ts.Study.metrics_by, ts.Reweighting.by])
def test_metrics_that_the_documentation_names_are_there(verb):
    named = re.search(r"Names such as ([^.]*)\.", inspect.getdoc(verb))
    names = re.findall(r'"(\w+)"', named[1])
    assert {metric.name for metric in study().metrics_by("sex", metrics=names).metrics} == set(names)


@pytest.mark.parametrize("stress", [NOTHING, ts.Mean("age", shift=5), ts.Share("sex", "F", 0.7)])
@pytest.mark.slow
def test_values_are_those_of_a_groupby(stress):
    moved = study().reweight(stress)
    found = moved.by("job", metrics=METRICS).frame.set_index(["group", "metric"])
    groups = study().X["job"].astype(object).where(lambda job: job.notna(), "missing").to_numpy()
    assert set(found.index.get_level_values(0)) == {"a", "b", "missing"}
    for group in set(groups):
        rows = groups == group
        for name in METRICS:
            row = found.loc[(group, name)]
            of_rows = study().truth[rows], study().predicted[rows], study().score[rows]
            assert row["before"] == pytest.approx(by_hand(name, *of_rows, np.ones(rows.sum())), abs=1e-12)
            assert row["value"] == pytest.approx(by_hand(name, *of_rows, moved.weights[rows]), abs=1e-12)
            assert row["lower"] < row["value"] < row["upper"]
        weights = moved.weights[rows]
        assert row["n_rows"] == rows.sum()
        assert row["share_before"] == pytest.approx(rows.mean())
        assert row["share"] == pytest.approx(weights.sum() / moved.weights.sum())
        assert row["ess"] == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    if stress is NOTHING:
        np.testing.assert_allclose(found["value"], found["before"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("stress", [NOTHING, ts.Mean("age", shift=5), ts.Mean("age", tau=0.3)])
def test_one_group_of_all_rows_has_the_metrics_of_the_reweighting(stress):
    moved = study().reweight(stress, metrics=METRICS)
    one = moved.by(np.ones(study().n_rows))
    columns = ["metric", "before", "value", "lower", "upper", "reliability", "note"]
    pd.testing.assert_frame_equal(one.frame[columns], moved.metrics[columns], rtol=1e-9)
    assert one.gaps.empty


def test_the_error_of_the_target_is_in_the_intervals():
    by_tau = study().reweight(ts.Mean("age", tau=0.5))
    given = study().reweight(ts.Mean("age", target=by_tau.values[0]))
    wider, narrower = (one.by("sex", metrics="portion_1").frame for one in (by_tau, given))
    np.testing.assert_allclose(wider["value"], narrower["value"], rtol=1e-9)
    assert ((wider["upper"] - wider["lower"]) > 1.02 * (narrower["upper"] - narrower["lower"])).all()


def test_default_metrics_are_those_of_the_reweighting():
    moved = study().reweight(NOTHING, metrics=["f1", "error_rate"])
    assert moved.by("sex").frame["metric"].tolist() == ["f1", "error_rate"] * 2


def test_a_group_that_keeps_no_weight_has_no_number():
    moved = study().reweight(ts.Mean("age", target=float(study().X["age"].max())))
    found = moved.by(study().X["age"] > study().X["age"].median(), metrics="error_rate").frame
    assert found["reliability"].tolist() == ["unreliable", "unreliable"]
    assert found["value"].isna().tolist() == [True, False]
    assert found["note"][0] != ""
    assert moved.by("sex", metrics="error_rate").gaps.empty


def test_weights_of_the_rows_are_kept():
    w = np.random.default_rng(0).integers(0, 3, study().n_rows).astype(float)
    s = ts.Study.from_predictions(study().X, study().truth, study().predicted, sample_weight=w)
    found = s.reweight(NOTHING).by("sex", metrics="error_rate").frame
    expected = [
        np.average((s.truth != s.predicted)[rows], weights=w[rows])
        for rows in (s.X["sex"].to_numpy() == sex for sex in "FM")
    ]
    np.testing.assert_allclose(found["before"], expected, atol=1e-12)
    np.testing.assert_allclose(found["value"], expected, atol=1e-12)


def test_what_cannot_be_taken_by_group_is_refused():
    moved = study().reweight(NOTHING)
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        moved.by("sex", metrics="eror_rate")
    with pytest.raises(ts.InputError, match="A table by group follows the task's own metrics"):
        moved.by("sex", metrics="matthews_corrcoef")
    with pytest.raises(ts.InputError, match="Weights must be of this study's rows"):
        drawn(np.random.default_rng(0), 50).metrics_by_group(moved, "sex")
    halves = ts.ChunkedStudy(None, [(study().X, study().truth, study().predicted)])
    with pytest.raises(ts.InputError, match="For metrics by group a weight for each row is needed"):
        halves.reweight(ts.Mean("age", shift=1)).with_source(study()).by("sex")


# as fairlearn's MetricFrame takes them: a scikit-learn function of each group's rows, largest and smallest of them
OF_ROWS = {
    "accuracy": accuracy_score,
    "precision": precision_score,
    "recall": recall_score,
    "f1": f1_score,
    "roc_auc": roc_auc_score,
    "log_loss": log_loss,
}
BY_SCORE = ("roc_auc", "log_loss")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_unstressed_it_is_a_metric_frame(weighted):
    random = np.random.default_rng(5)
    w = random.integers(0, 4, study().n_rows) / 2 if weighted else None
    s = study() if w is None else study().with_weights(w)
    groups = pd.Series(random.choice(list("abcd"), s.n_rows, p=[0.1, 0.2, 0.3, 0.4]), name="place")
    found = s.metrics_by(groups, metrics=[*OF_ROWS])
    table, gaps = found.frame.set_index(["group", "metric"]), found.gaps.set_index("metric")
    for name, function in OF_ROWS.items():
        answers = s.score if name in BY_SCORE else s.predicted
        by_group = pd.Series(
            {
                group: function(s.truth[rows], answers[rows], sample_weight=None if w is None else w[rows])
                for group, rows in ((group, (groups == group).to_numpy()) for group in "abcd")
            }
        )
        np.testing.assert_allclose(table.xs(name, level="metric")["value"], by_group, rtol=0, atol=1e-12)
        row = gaps.loc[name]
        assert row["gap"] == pytest.approx(by_group.max() - by_group.min(), abs=1e-12)
        assert row["ratio"] == pytest.approx(by_group.min() / by_group.max(), abs=1e-12)
        assert (row["largest"], row["smallest"]) == (by_group.idxmax(), by_group.idxmin())
        assert row["worst"] == (by_group.idxmax() if name == "log_loss" else by_group.idxmin())


def test_unstressed_it_is_the_table_of_a_stress_that_moves_nothing():
    found, moved = study().metrics_by("sex", metrics=METRICS, confidence=0.9), study().reweight(NOTHING)
    np.testing.assert_allclose(found.frame["value"], moved.by("sex", metrics=METRICS).frame["value"], atol=1e-12)
    assert found.confidence == 0.9
    assert found.notes == (OF_GAPS,)
    assert {*study().metrics_by("sex").frame["metric"]} == {*moved.metrics["metric"]}
    with pytest.raises(ts.InputError, match="confidence must lie strictly between 0 and 1"):
        study().metrics_by("sex", confidence=95)


# metrics with a gap that is clear, of 400 samples of 600 rows: a standard error of .011
CLEAR = ["portion_1", "mean_score", "recall"]


@cache
def covered(asked):
    def ask(one):
        return (
            one.metrics_by("sex", metrics=CLEAR)
            if asked == "unstressed"
            else one.reweight(STRESSES[asked]).by("sex", metrics=CLEAR)
        )

    truth, hits = ask(drawn(np.random.default_rng(99), 400_000)), []
    for seed in range(400):
        mine = ask(drawn(np.random.default_rng(seed), 600))
        of_groups = (mine.frame["lower"] <= truth.frame["value"]) & (truth.frame["value"] <= mine.frame["upper"])
        of_gaps = [
            (mine.gaps[f"{name}_lower"] <= truth.gaps[name]) & (truth.gaps[name] <= mine.gaps[f"{name}_upper"])
            for name in ("gap", "ratio")
        ]
        hits.append(np.concatenate([of_groups, *of_gaps]))
    return np.mean(hits, axis=0)


STRESSES = {"in units": ts.Mean("age", target=47), "by tau": ts.Mean("age", tau=0.4)}


@pytest.mark.parametrize("asked", ["unstressed", *STRESSES])
@pytest.mark.slow
def test_intervals_of_groups_and_gaps_hold_as_often_as_said(asked):
    of_groups, of_gaps = np.split(covered(asked), [2 * len(CLEAR)])
    assert (of_groups > 0.92).all(), of_groups  # of rates more often, as Clopper and Pearson do
    assert ((of_gaps > 0.93) & (of_gaps < 0.97)).all(), of_gaps


@pytest.mark.parametrize("without", [1, 2])
def test_groups_without_a_value_are_named_beside_the_gaps(without):
    """Of three groups so many have no positive, and with that no true positive rate."""
    group = np.repeat(["x", "y", "z"], 40)
    y = np.tile([0, 1], 60)
    y[: 40 * without] = 0
    score = np.linspace(0.1, 0.9, 120)
    frame = pd.DataFrame({"group": group, "a": np.arange(120) % 7.0})
    study = ts.Study.from_predictions(frame, y, y_score=score, classes=[0, 1])
    found = study.metrics_by("group", metrics=["true_positive_rate", "error_rate"])
    (said,) = [note for note in found.notes if "true positive rate" in note]
    assert said.startswith("The gap" if without == 1 else "No gap")
    assert said.endswith(f"computed on in {', '.join(['x', 'y', 'z'][:without])}.")
    assert said in repr(found)
    assert ("true_positive_rate" in set(found.gaps["metric"])) == (without == 1)
    assert not [note for note in found.notes if "error rate" in note]
    assert not found.gaps.loc[found.gaps["reliability"] != "reliable", "note"].eq("").any()
    along = study.threshold_curves(by="group", metrics=["true_positive_rate"], thresholds=[0.3, 0.6])
    assert said in along.notes
    fits = [note for note in study.calibration(by="group", n_bins=3).notes if " of the slope" in note]
    assert len(fits) == 1
    assert fits[0].startswith(said.split(" of ")[0])


@pytest.mark.parametrize("chunks", [False, True])
def test_a_gap_that_is_not_there_has_no_level_along_tau(chunks):
    random = np.random.default_rng(4)
    group = np.repeat(["a", "b"], 60)
    score = random.uniform(0.05, 0.95, 120)
    X = pd.DataFrame({"x": random.normal(size=120), "group": group, "score": score})
    truth = np.where(group == "a", 0, random.random(120) < score).astype(int)

    def model(X):
        return np.column_stack([1 - X["score"], X["score"]])

    if chunks:
        study = ts.ChunkedStudy(model, [(X[:70], truth[:70]), (X[70:], truth[70:])])
    else:
        study = ts.Study(model, X, truth, progress=False)
    names = ["error_rate", "true_positive_rate"]
    found = study.stress_curves("x", taus=3, metrics=names).by("group")
    gaps = found.gaps.set_index("metric")
    none = gaps.loc["true_positive_rate"]
    assert (none["reliability"] == "").all()
    assert (none["note"] == "fewer than two groups have a value").all()
    assert none["gap"].isna().all()
    assert set(gaps.loc["error_rate", "reliability"]) <= {"reliable", "wide", "unreliable"}
    said = [note for note in found.notes if note.startswith("No gap of the true positive rate")]
    assert len(said) == 1
    assert said[0].endswith(" in a.")
    assert not [note for note in found.notes if "error rate" in note]
