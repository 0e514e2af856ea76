"""Two models on the same rows: values by hand, an interval of the difference, and how often it holds."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeRegressor

import tauscope as ts

MANY = 200_000
METRICS = ["error_rate", "recall", "f1", "roc_auc", "log_loss"]
OLDER = ts.Mean("age", target=0.5)


def population(n, flip, seed=0):
    """Rows, truth and the scores of two models, of which the second uses a column that the first does not."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"age": random.normal(size=n), "hours": random.normal(size=n)})
    chance = 1 / (1 + np.exp(1 - 1.5 * X["age"] - 0.5 * X["hours"]))
    scores = [1 / (1 + np.exp(1 - 1.5 * X["age"] - slope * X["hours"])) for slope in (0, flip)]
    return X, (random.random(n) < chance).to_numpy() * 1, *(score.to_numpy() for score in scores)


def studies(X, y, *scores, **options):
    return [ts.Study.from_predictions(X, y, (s > 0.5) * 1, y_score=s, **options) for s in scores]


@pytest.mark.slow
def test_values_are_those_of_each_study_and_their_difference():
    first, second = studies(*population(400, 0.5))
    compared = ts.compare(first, second, OLDER, metrics=METRICS).frame.set_index(["population", "metric"])
    for name in METRICS:
        for study, side in ((first, "first"), (second, "second")):
            alone = study.reweight(OLDER, metrics=METRICS).metrics.set_index("metric").loc[name]
            under = compared.loc[("under the stress", name)]
            assert under[side] == pytest.approx(alone["value"], abs=1e-12)
            assert under[f"{side}_lower"] == pytest.approx(alone["lower"], abs=1e-12)
            assert under[f"{side}_upper"] == pytest.approx(alone["upper"], abs=1e-12)
            assert compared.loc[("as tested", name), side] == pytest.approx(alone["before"], abs=1e-12)
    assert (compared["difference"] - (compared["second"] - compared["first"])).abs().max() < 1e-12
    assert (compared["ess"] > 290).all()


def test_a_difference_of_error_rates_is_that_of_discordant_rows():
    """Bonett and Price's variance by hand, where every row weighs the same."""
    X, y, *scores = population(400, 0.5)
    first, second = studies(X, y, *scores)
    row = ts.compare(first, second, metrics="error_rate").frame.iloc[0]
    wrong = [(score > 0.5) != y for score in scores]
    apart = wrong[1].astype(float) - wrong[0]
    z = norm.ppf(0.975)
    half = z * np.sqrt(apart.var() / 400 + z**2 / 2 / 400**2)
    assert row["difference"] == pytest.approx(apart.mean(), abs=1e-12)
    assert row["upper"] - row["difference"] == pytest.approx(half, rel=0.01)
    assert row["n_differing"] == pytest.approx((wrong[0] != wrong[1]).sum())


def test_the_interval_is_narrower_than_of_two_samples():
    row = ts.compare(*studies(*population(400, 0.5)), metrics="log_loss").frame.iloc[0]
    apart = (row["first_upper"] - row["first_lower"]) + (row["second_upper"] - row["second_lower"])
    assert row["upper"] - row["lower"] < apart / 3


def test_confidence_widens_only_the_intervals():
    pair = studies(*population(400, 0.5))
    usual, sure = (ts.compare(*pair, OLDER, confidence=c, metrics="error_rate").frame for c in (0.95, 0.99))
    assert (sure["difference"] == usual["difference"]).all()
    assert (sure["upper"] > usual["upper"]).all()


def test_the_same_model_twice_is_no_different_and_that_is_not_certain():
    study = studies(*population(200, 0.5))[0]
    found = ts.compare(study, study, OLDER, metrics=["error_rate", "log_loss"])
    rates = found.frame[found.frame["metric"] == "error_rate"]
    assert (rates["difference"] == 0).all()
    assert (rates["lower"] < 0).all()
    assert (rates["upper"] > 0).all()
    assert (rates["n_differing"] == 0).all()
    assert rates["note"].unique().tolist() == ["wide: the models differ on no row: read the interval, not the number"]
    assert found.frame.loc[1, ["difference", "lower", "upper"]].tolist() == [0, 0, 0]
    assert found.names == ("first predictions", "second predictions")


def test_hardly_any_row_told_apart_is_said():
    X, y, score, _ = population(200, 0.5)
    predicted = (score > 0.5) * 1
    for n_apart, said in ((1, "hardly any row"), (3, "only 3 effective rows")):
        other = predicted.copy()
        other[:n_apart] = 1 - other[:n_apart]
        pair = [ts.Study.from_predictions(X, y, answers) for answers in (predicted, other)]
        assert said in ts.compare(*pair, metrics="error_rate").frame["note"][0]


def test_which_is_better_follows_from_the_whole_interval():
    X, y, *_ = population(300, 0.5)
    good, bad = (np.where(np.arange(300) % k == 0, 1 - y, y) for k in (10, 2))
    pair = [ts.Study.from_predictions(X, y, answers) for answers in (good, bad)]
    found = ts.compare(*pair, metrics=["error_rate", "accuracy", "portion_1"], names=("old", "new")).frame
    assert found["better"].tolist() == ["old", "old", ""]
    back = ts.compare(*pair[::-1], metrics=["error_rate", "accuracy"], names=("new", "old")).frame
    assert back["better"].tolist() == ["old", "old"]


def test_a_scenario_and_a_reweighting_are_stresses_too():
    first, second = studies(*population(300, 0.5))
    scenario = ts.Scenario("older", {"age": 0.3}, hold="means")
    expected = ts.compare(first, second, scenario, metrics="error_rate", quantile=0.1).frame
    solved = first.reweight(scenario, quantile=0.1)
    pd.testing.assert_frame_equal(ts.compare(first, second, solved, metrics="error_rate").frame, expected)
    assert "age" in ts.compare(first, second, solved).notes[0]


def test_along_tau_it_shows_where_the_better_one_changes():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(size=600)})
    y = rng.integers(0, 2, 600)
    wrong = [(side * X["age"].to_numpy() > 0) & (rng.random(600) < 0.4) for side in (1, -1)]
    young, old = (ts.Study.from_predictions(X, y, np.where(each, 1 - y, y)) for each in wrong)
    compared = ts.compare(young, old, OLDER, metrics="error_rate", names=("young", "old"))
    along = compared.along("age", taus=5)
    assert along["tau"].tolist() == [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert along["better"].tolist() == ["young", "young", "", "old", "old"]
    assert along["difference"].is_monotonic_decreasing
    assert along.columns.tolist() == ["tau", "target", *compared.frame.columns[1:]]
    means = [X["age"].mean(), *young.reweight(ts.Mean("age", tau=1)).values]
    assert along["target"].iloc[[2, 4]].tolist() == pytest.approx(means)
    shown = along.set_index("tau").drop(columns=["target", "better", "reliability", "note", "metric"])
    there = ts.compare(young, old, ts.Scenario("older", {"age": 0.5}), metrics="error_rate").frame
    for tau, row in ((0.0, there.iloc[0]), (0.5, there.iloc[1])):
        assert shown.loc[tau].tolist() == pytest.approx(row[shown.columns].tolist(), rel=1e-12)
    with pytest.raises(ts.errors.UnknownName, match="Nearest: 'age'"):
        compared.along("agee")
    with pytest.raises(ts.InputError, match="must be odd"):
        compared.along("age", taus=4)


def test_weights_of_the_rows_count():
    X, y, *scores = population(300, 0.5)
    weight = np.where(X["age"] > 0, 3.0, 1.0)
    found = ts.compare(*studies(X, y, *scores, sample_weight=weight), metrics="error_rate").frame.iloc[0]
    for side, score in zip(("first", "second"), scores, strict=True):
        assert found[side] == pytest.approx(np.average((score > 0.5) != y, weights=weight))
    assert found["ess"] == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_models_of_numbers_and_of_other_columns():
    X = population(300, 0.5)[0]
    target = X["age"] + 0.2 * X["hours"] + 0.3 * np.random.default_rng(1).normal(size=300)
    line = ts.Study(LinearRegression().fit(X, target), X, target)
    tree = ts.Study(DecisionTreeRegressor(max_depth=2).fit(X[["age"]], target), X[["age"]], target)
    found = ts.compare(line, tree, OLDER).frame
    assert found[found["metric"] == "rmse"]["better"].unique().tolist() == ["LinearRegression"]
    with pytest.raises(ts.UnknownName, match="hours"):
        ts.compare(tree, line, ts.Mean("hours", target=0.1))


def test_what_cannot_be_compared_is_refused():
    X, y, *scores = population(100, 0.5)
    first, second = studies(X, y, *scores)
    model = LogisticRegression().fit(X, y)
    moved = X.assign(hours=X["hours"] + 1)
    for other, words in (
        (studies(X[:50], y[:50], *(s[:50] for s in scores))[0], "their rows are 100 and 50"),
        (ts.Study(LinearRegression().fit(X, y), X, y), "their task are binary and regression"),
        (ts.Study.from_predictions(X, y + 1, y + 1), "their classes are"),
        (ts.Study(model, X, 1 - y), "y or the weights"),
        (studies(X, y, *scores, sample_weight=np.arange(100) + 1.0)[0], "y or the weights"),
        (ts.Study(model, moved, y), "'hours' differs"),
    ):
        with pytest.raises(ts.InputError, match=words):
            ts.compare(first, other)
    with pytest.raises(ts.InputTypeError, match="Studies are compared; got"):
        ts.compare(first, model)
    for names in (("a", "a"), ("a",), ("", "b"), (1, 2)):
        with pytest.raises(ts.TauscopeError, match="names"):
            ts.compare(first, second, names=names)
    with pytest.raises(ts.InputError, match="quantile"):
        ts.compare(first, second, quantile=0.7)
    with pytest.raises(ts.InputError, match="confidence"):
        ts.compare(first, second, confidence=1.5)


def test_levels_are_the_same_by_name():
    X, y, *scores = population(100, 0.5)
    job = pd.Series(np.where(X["age"] > 0, "a", "b"))
    ordered = pd.Series(pd.Categorical(job, categories=["b", "a", "c"]))
    pair = [
        ts.Study.from_predictions(X.assign(job=column), y, (score > 0.5) * 1)
        for column, score in zip((job, ordered), scores, strict=True)
    ]
    assert len(ts.compare(*pair, ts.Share("job", "a", 0.6), metrics="error_rate").frame) == 2
    other = ts.Study.from_predictions(X.assign(job=job.replace("a", "c")), y, (scores[1] > 0.5) * 1)
    with pytest.raises(ts.InputError, match="'job' differs"):
        ts.compare(pair[0], other)


@pytest.mark.slow
@pytest.mark.parametrize("stress", [None, OLDER])
@pytest.mark.parametrize("flip", [0.03, 0.5])
def test_intervals_hold_the_differences_of_the_population(stress, flip):
    """Of 95 % intervals of 150 samples at least .91 hold, whether models differ on one row in 100 or in 8."""
    X, y, *scores = population(MANY, flip, seed=7)
    truth = ts.compare(*studies(X, y, *scores), stress, metrics=METRICS).frame.groupby("metric").last()["difference"]
    held = dict.fromkeys(METRICS, 0)
    for seed in range(150):
        rows = np.random.default_rng(seed).integers(0, MANY, 400)
        sample = studies(X.iloc[rows].reset_index(drop=True), y[rows], *(score[rows] for score in scores))
        found = ts.compare(*sample, stress, metrics=METRICS).frame.groupby("metric").last()
        for name in METRICS:
            held[name] += found.loc[name, "lower"] <= truth[name] <= found.loc[name, "upper"]
    assert min(held.values()) >= 0.91 * 150, held


@pytest.mark.parametrize("in_chunks", [False, True])
@pytest.mark.parametrize("other", [bool, float, np.int8])
def test_classes_that_are_equal_are_compared_whatever_their_type(other, in_chunks):
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"a": random.normal(size=80)})
    y = (rows["a"] + random.normal(size=80) > 0).astype(int).to_numpy()

    def study(labels):
        model = LogisticRegression().fit(rows, labels)
        if in_chunks:
            frame = rows.assign(y=labels)
            return ts.ChunkedStudy(model, [frame[:50], frame[50:]], target="y", progress=False)
        return ts.Study(model, rows, labels, progress=False)

    compared = ts.compare(study(y), study(y.astype(other)))
    assert "portion_1" in set(compared.frame["metric"])
    assert {"portion_True", "portion_1.0"}.isdisjoint(compared.frame["metric"])


@pytest.mark.parametrize("in_chunks", [False, True])
def test_metrics_of_one_model_alone_are_said_to_be_left_out(in_chunks):
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"a": random.normal(size=80)})
    y = (rows["a"] + random.normal(size=80) > 0).astype(int).to_numpy()
    model = LogisticRegression().fit(rows, y)

    def study(**options):
        if in_chunks:
            return ts.ChunkedStudy(model, [rows.assign(y=y)], target="y", progress=False, **options)
        return ts.Study(model, rows, y, **options)

    scored, labelled = study(), study(response_method="predict")
    names = ("scored", "labelled")
    assert ts.compare(scored, labelled, names=names).notes[0] == "Left out, as only scored has it: mean score."
    assert ts.compare(labelled, scored, names=names[::-1]).left_out == (("mean score", "scored"),)
    assert ts.compare(scored, scored).left_out == ()
    assert ts.compare(scored, labelled, metrics="error_rate").left_out == ()
