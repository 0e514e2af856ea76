"""Metrics by group, wherever the rows are: a groupby by hand, scikit-learn's functions, how often intervals hold."""

import inspect
import pickle
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, f1_score, log_loss, precision_score, recall_score, roc_auc_score

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth
from chunked.uneven_chunks import lacking
from stores import BEYOND_MEMORY, STORES, predictions_in, study_in
from tauscope.results.stress.by_group import OF_GAPS


def drawn(random, n, store="memory"):
    sex = random.choice(["F", "M"], n, p=[0.4, 0.6])
    age = random.normal(40, 10, n) + 3 * (sex == "M")
    X = pd.DataFrame({"age": age, "sex": sex, "job": random.choice(["a", "b", None], n)})
    score = 1 / (1 + np.exp(-(age - 45) / 8))
    chance = 1 / (1 + np.exp(-(age - 45) / 8 + 0.7 * (sex == "F")))
    return predictions_in(store, X, (random.random(n) < chance) * 1, (score > 0.5) * 1, score)


@cache
def study(store="memory"):
    return drawn(np.random.default_rng(1), 1200, store)


NOTHING = ts.Mean("age", shift=0)
EXACT = {"memory": 1e-12} | dict.fromkeys(BEYOND_MEMORY, 1e-9)  # a stress is solved by other steps
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
@pytest.mark.parametrize("store", STORES)
@pytest.mark.slow
def test_values_are_those_of_a_groupby(store, stress):
    moved = study().reweight(stress)
    asked = METRICS if store == "memory" else [name for name in METRICS if name != "roc_auc"]  # of the score in steps
    of_store = study(store).reweight(stress).by("job", metrics=asked)
    found = of_store.frame.set_index(["group", "metric"])
    groups = study().X["job"].astype(object).where(lambda job: job.notna(), "missing").to_numpy()
    assert set(found.index.get_level_values(0)) == {"a", "b", "missing"}
    for group in set(groups):
        rows = groups == group
        for name in asked:
            row = found.loc[(group, name)]
            of_rows = study()._true_values[rows], study().predicted[rows], study().score[rows]
            assert row["before"] == pytest.approx(by_hand(name, *of_rows, np.ones(rows.sum())), abs=EXACT[store])
            assert row["value"] == pytest.approx(by_hand(name, *of_rows, moved.weights[rows]), abs=EXACT[store])
            assert row["lower"] < row["value"] < row["upper"]
        weights = moved.weights[rows]
        assert row["n_rows"] == rows.sum()
        assert row["share_before"] == pytest.approx(rows.mean())
        assert row["share"] == pytest.approx(weights.sum() / moved.weights.sum())
        assert row["ess"] == pytest.approx(weights.sum() ** 2 / (weights @ weights))
    if stress is NOTHING:
        np.testing.assert_allclose(found["value"], found["before"], rtol=0, atol=EXACT[store])


@pytest.mark.parametrize("stress", [NOTHING, ts.Mean("age", shift=5), ts.Mean("age", tau=0.3)])
def test_one_group_of_all_rows_has_the_metrics_of_the_reweighting(stress):
    moved = study().reweight(stress, metrics=METRICS)
    one = moved.by(np.ones(study().n_rows))
    columns = ["metric", "before", "value", "lower", "upper", "reliability", "note"]
    pd.testing.assert_frame_equal(one.frame[columns], moved.metrics[columns], rtol=1e-9)
    assert one.gaps.empty


@pytest.mark.parametrize("store", STORES)
def test_the_error_of_the_target_is_in_the_intervals(store):
    by_tau = study(store).reweight(ts.Mean("age", tau=0.5))
    given = study(store).reweight(ts.Mean("age", target=by_tau.values[0]))
    wider, narrower = (one.by("sex", metrics="portion_1").frame for one in (by_tau, given))
    np.testing.assert_allclose(wider["value"], narrower["value"], rtol=1e-9)
    assert ((wider["upper"] - wider["lower"]) > 1.02 * (narrower["upper"] - narrower["lower"])).all()


@pytest.mark.parametrize("store", STORES)
def test_default_metrics_are_those_of_the_reweighting(store):
    moved = study(store).reweight(NOTHING, metrics=["f1", "error_rate"])
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
    s = ts.Study.from_predictions(study().X, study()._true_values, study().predicted, sample_weight=w)
    found = s.reweight(NOTHING).by("sex", metrics="error_rate").frame
    expected = [
        np.average((s._true_values != s.predicted)[rows], weights=w[rows])
        for rows in (s.X["sex"].to_numpy() == sex for sex in "FM")
    ]
    np.testing.assert_allclose(found["before"], expected, atol=1e-12)
    np.testing.assert_allclose(found["value"], expected, atol=1e-12)


@pytest.mark.parametrize("store", STORES)
def test_what_cannot_be_taken_by_group_is_refused(store):
    moved = study(store).reweight(NOTHING)
    with pytest.raises(ts.UnknownName, match="eror_rate"):
        moved.by("sex", metrics="eror_rate")
    with pytest.raises(ts.InputError, match="A table by group follows the task's own metrics"):
        moved.by("sex", metrics="matthews_corrcoef")
    with pytest.raises(ts.InputError, match="Weights must be of this study's rows"):
        drawn(np.random.default_rng(0), 50, store)._metrics_by_group(moved, "sex")
    with pytest.raises(ts.InputError, match="confidence must lie strictly between 0 and 1"):
        study(store).metrics_by("sex", confidence=95)


@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_weights_that_no_row_kept_are_found_again(store):
    stress = ts.Mean("age", shift=1)
    of_chunks = study(store).reweight(stress).with_source(study()).by("sex")
    assert_same(of_chunks, study().reweight(stress).by("sex"))


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
    s = study() if w is None else study()._with_weights(w)
    groups = pd.Series(random.choice(list("abcd"), s.n_rows, p=[0.1, 0.2, 0.3, 0.4]), name="place")
    found = s.metrics_by(groups, metrics=[*OF_ROWS])
    table, gaps = found.frame.set_index(["group", "metric"]), found.gaps.set_index("metric")
    for name, function in OF_ROWS.items():
        answers = s.score if name in BY_SCORE else s.predicted
        by_group = pd.Series(
            {
                group: function(s._true_values[rows], answers[rows], sample_weight=None if w is None else w[rows])
                for group, rows in ((group, (groups == group).to_numpy()) for group in "abcd")
            }
        )
        np.testing.assert_allclose(table.xs(name, level="metric")["value"], by_group, rtol=0, atol=1e-12)
        row = gaps.loc[name]
        assert row["gap"] == pytest.approx(by_group.max() - by_group.min(), abs=1e-12)
        assert row["ratio"] == pytest.approx(by_group.min() / by_group.max(), abs=1e-12)
        assert (row["largest"], row["smallest"]) == (by_group.idxmax(), by_group.idxmin())
        assert row["worst"] == (by_group.idxmax() if name == "log_loss" else by_group.idxmin())


@pytest.mark.parametrize("store", STORES)
def test_unstressed_it_is_the_table_of_a_stress_that_moves_nothing(store):
    here = study(store)
    found, moved = here.metrics_by("sex", metrics=METRICS, confidence=0.9), here.reweight(NOTHING)
    again = moved.by("sex", metrics=METRICS).frame["value"]
    np.testing.assert_allclose(found.frame["value"], again, atol=EXACT[store])
    assert found.confidence == 0.9
    assert found.notes == (OF_GAPS, *found.bounds)
    assert bool(found.bounds) == (store != "memory")  # ranks of the score in steps
    assert {*here.metrics_by("sex").frame["metric"]} == {*moved.metrics["metric"]}


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
    assert said.endswith(f"on the rows of {', '.join(['x', 'y', 'z'][:without])}.")
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
    assert said[0].endswith(" of a.")
    assert not [note for note in found.notes if "error rate" in note]


# the same numbers beyond memory, in chunks of which some lack a group
N = 950


def mixed(task="binary"):
    X = mixed_rows(N)
    y = truth(X, "binary" if task == "margins" else task)
    lacking(X, 310)
    X["job"] = X["job"].fillna("z")  # Dask hands missing text on as another value than the model was fitted on
    X["grade"] = np.where(np.arange(N) % 9 == 0, np.nan, X["age"] // 30)
    return X, y


@cache
def mixed_in(store, task="binary"):
    X, y = mixed(task)
    return study_in(store, fitted(task, X, y), X, y, ends=(0.008, 0.32, 0.33))


def assert_same(got, want):
    ends = ["lower", "upper"]  # one step of Halley's method is 2e-9 off where ten rows meet SciPy's own, below ten
    pd.testing.assert_frame_equal(got.frame.drop(columns=ends), want.frame.drop(columns=ends), rtol=1e-9, atol=1e-9)
    pd.testing.assert_frame_equal(got.frame[ends], want.frame[ends], rtol=1e-9, atol=5e-9)
    ties = ["largest", "smallest", "worst"]  # of groups with one value, rounding names the one or the other
    pd.testing.assert_frame_equal(got.gaps.drop(columns=ties), want.gaps.drop(columns=ties), rtol=1e-9, atol=1e-9)
    at = want.frame.set_index(["group", "metric"])["value"]
    for one, other in zip(got.gaps.to_dict("records"), want.gaps.to_dict("records"), strict=True):
        for end in ties[:2]:
            assert at[one[end], one["metric"]] == pytest.approx(at[other[end], other["metric"]], abs=1e-9)
    assert (got._caption, got.notes, got.n_rows) == (want._caption, want.notes, want.n_rows)
    words = [str(one).split("\n")[: 1 + min(24, len(want.frame))] for one in (got, want)]
    assert words[0] == words[1]


GROUPS = ["job", "grade", "member", ["sex", "job"], ["grade", "member", "grade"]]


@pytest.mark.slow
@pytest.mark.parametrize("by", GROUPS, ids=str)
@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_groups_are_those_of_the_rows_in_memory(store, by):
    here, memory = mixed_in(store), mixed_in("memory")
    assert_same(here.metrics_by(by), memory.metrics_by(by))
    stress = ts.Mean("age", tau=0.4) & ts.Share("member", True, 0.3)
    assert_same(here.reweight(stress).by(by), memory.reweight(stress).by(by))


KINDS = {
    "in units": ts.Mean("age", target=55),
    "along tau, gaps": ts.Mean("balance", tau=-0.5),
    "kept": ts.Mean("age", shift=0),
    "a variance": ts.Variance("age", scale=0.8),
    "the groups' own share": ts.Share("sex", "M", 0.5),
}


CASES = [
    *(("binary", name) for name in KINDS),
    ("multiclass", "in units"),
    ("regression", "along tau, gaps"),
    ("regression", "in units"),
    ("margins", "a variance"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "name"), CASES)
@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_every_task_and_stress(store, task, name):
    here, memory = (mixed_in(each, task).reweight(KINDS[name], confidence=0.9) for each in (store, "memory"))
    assert_same(here.by("sex"), memory.by("sex"))


@pytest.mark.slow
@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_weights_of_rows_and_groups_without_any(store):
    X, y = mixed()
    weight = np.random.default_rng(3).gamma(1, size=N) * (X["job"] != "b").to_numpy()
    model = fitted("binary", X, y)
    here, memory = (study_in(each, model, X, y, weight, ends=(0.008, 0.32, 0.33)) for each in (store, "memory"))
    for by in ("job", ["sex", "job"]):
        assert_same(here.metrics_by(by, confidence=0.8), memory.metrics_by(by, confidence=0.8))
        stress = ts.Mean("age", tau=-0.3)
        assert_same(here.reweight(stress).by(by), memory.reweight(stress).by(by))


@pytest.mark.slow
@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_metrics_that_are_named_and_those_of_ranks(store):
    here, memory, names = mixed_in(store), mixed_in("memory"), ["recall", "log_loss"]
    assert_same(here.metrics_by("sex", metrics=names), memory.metrics_by("sex", metrics=names))
    moved = here.reweight(ts.Mean("age", target=50), metrics=names).by("sex")
    assert [metric.name for metric in moved.metrics] == names
    auc, want = (one.metrics_by("sex", metrics="roc_auc") for one in (here, memory))
    off = float(auc.bounds[0].split("at most ")[1])
    assert 0 < off < 0.05
    assert (auc.frame["value"] - want.frame["value"]).abs().max() <= off
    assert auc.notes[-1] == auc.bounds[0]


@pytest.mark.slow
def test_functions_pickles_and_passes():
    X, y = mixed()
    model, reads = fitted("binary", X, y), [0]

    def chunks():
        reads[0] += 1
        return iter([(X[a:b], y[a:b]) for a, b in ((0, 7), (7, 300), (300, 310), (310, N))])

    here, memory = ts.ChunkedStudy(model, chunks, progress=False), mixed_in("memory")
    stress = ts.Moment(lambda part: part["age"] * part["member"], 12.0, name="age of members")
    moved, want = here.reweight(stress), memory.reweight(stress)
    before = reads[0]
    assert_same(moved.by("sex"), want.by("sex"))
    assert reads[0] - before == 3  # which groups, their sums, their residuals: the stress is solved already
    with pytest.raises(ts.InputError, match="left behind when a result was pickled"):
        pickle.loads(pickle.dumps(here.reweight(ts.Mean("age", target=50)))).by("sex")


@pytest.mark.slow
@pytest.mark.parametrize("store", BEYOND_MEMORY)
@pytest.mark.parametrize(
    ("by", "error", "words"),
    [
        ("race", ts.UnknownName, "race"),
        (["sex", "race"], ts.UnknownName, "race"),
        ("income", ts.InputError, "at most 10 values; got"),
        (["age", "income"], ts.InputError, "at most 10 values; got"),
        (3.5, ts.InputTypeError, "by must name groups of rows; got 3.5"),
        ([], ts.InputTypeError, "by must name groups of rows"),
    ],
)
def test_errors_are_those_of_rows_in_memory(store, by, error, words):
    said = []
    for one in (mixed_in("memory"), mixed_in(store)):
        with pytest.raises(error, match=words) as raised:
            one.metrics_by(by)
        said.append(str(raised.value))
    assert said[0].split(". ")[0] == said[1].split(". ")[0]  # the next step may be another


@pytest.mark.slow
@pytest.mark.parametrize("store", BEYOND_MEMORY)
def test_what_chunks_cannot_tell_apart_is_refused(store):
    chunked = mixed_in(store)
    with pytest.raises(ts.InputError, match=r"told apart by their columns.+Name a column"):
        chunked.metrics_by(np.zeros(N, bool))
    with pytest.raises(ts.InputError, match="fit to all rows at once"):
        chunked.metrics_by("sex", metrics="calibration_slope")
    X = pd.DataFrame({"x": np.arange(1000.0), "k": [f"level {i % 250}" for i in range(1000)]})
    study = ts.ChunkedStudy(lambda part: part["x"].to_numpy(), [(X, X["x"].to_numpy())], progress=False)
    with pytest.raises(ts.InputError, match="at most 200 groups; got 250 by 'k'"):
        study.metrics_by("k")


@pytest.mark.parametrize("store", STORES)
def test_three_rows_are_three_however_they_are_added_up(store):
    for n in (47, 61, 68):
        X = pd.DataFrame({"x": np.arange(n) * 1.0, "g": ["three"] * 3 + ["rest"] * (n - 3)})
        score = np.linspace(0.1, 0.9, n)
        found = predictions_in(store, X, (np.arange(n) % 3 == 0) * 1, (score > 0.5) * 1, score)
        three = found.metrics_by("g", metrics="mean_score").frame.set_index("group").loc["three"]
        assert np.isfinite(three["lower"])
        assert three["reliability"] == "wide"


def test_a_group_of_one_class_has_rows_and_no_auc():
    X = pd.DataFrame({"group": ["one"] * 40 + ["both"] * 40})
    y = np.array([1] * 40 + [0, 1] * 20)
    s = ts.Study.from_predictions(X, y, y, np.linspace(0.1, 0.9, 80))
    note = s.metrics_by("group", metrics="roc_auc").frame.set_index("group").loc["one", "note"]
    assert note == "unreliable: it is not defined on these rows"
