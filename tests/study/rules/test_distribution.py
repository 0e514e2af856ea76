"""The projected distribution given some values of rows: against the definition, forest cell by forest cell."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import tauscope as ts
from study.rules.test_sufficient import study as people_study
from tauscope.errors import InputError, InputTypeError, UnknownName

N = 300


@cache
def rows():
    random = np.random.default_rng(0)
    X = random.normal(size=(N, 4))
    return X, np.where(X[:, 0] > 0, X[:, 1], X[:, 2]) + 0.1 * random.normal(size=N)


@cache
def forest_study(task="regression", weighted=False):
    """A forest that is projected itself, of numbers or of three classes."""
    X, y = rows()
    weight = np.where(X[:, 3] > 0, 3.0, 0.5) if weighted else None
    if task == "regression":
        forest = RandomForestRegressor(7, max_depth=5, random_state=0).fit(X, y)
    else:
        y = np.digitize(y, [-0.5, 0.5])
        forest = RandomForestClassifier(7, max_depth=5, random_state=0).fit(X, y)
    return ts.Study(forest, X, y, sample_weight=weight, progress=False)


def weights_by_definition(study, x, subset, min_rows=5):
    """Equation 6: splits on other features followed both ways, cells of `min_rows` or more, bootstrap counts."""
    X, _ = rows()
    forest = study._require_model("is").model
    weight = np.ones(N) if study.sample_weight is None else study.sample_weight
    total = np.zeros(N)
    trees = zip(forest.estimators_, forest.estimators_samples_, strict=True)
    for tree, drawn in trees:
        count, t = np.bincount(drawn, minlength=N), tree.tree_
        inside, level = count > 0, [0]
        while True:
            following, cell = [], inside.copy()
            for node in level:
                feature = t.feature[node]
                children = t.children_left[node], t.children_right[node]
                if children[0] < 0:
                    continue
                if feature not in subset:
                    following += children
                    continue
                left = np.float32(x[feature]) <= t.threshold[node]
                side = X[:, feature].astype(np.float32) <= t.threshold[node]
                cell &= side if left else ~side
                following.append(children[0] if left else children[1])
            if not following or count[cell].sum() < min_rows:
                break
            inside, level = cell, following
        mass = count * weight * inside
        total += mass / mass.sum()
    return total / len(forest.estimators_)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("subset", [[0], [1, 3], [0, 1, 2]])
def test_function_quantiles_mean_and_size_are_those_of_the_definition(subset, weighted):
    study, (X, _) = forest_study(weighted=weighted), rows()
    y, at, levels = study.predicted, np.linspace(-2, 2, 9), [0.05, 0.3, 0.5, 0.95]
    found = study.distribution([4, 17], subset)
    for place, row in enumerate([4, 17]):
        w = weights_by_definition(study, X[row], subset)
        order = np.argsort(y)
        np.testing.assert_allclose(found.cdf(at)[place], [w[y <= value].sum() for value in at], atol=1e-12)
        reached = np.searchsorted(np.cumsum(w[order]), np.array(levels) - 1e-12)
        np.testing.assert_allclose(found.quantile(levels)[place], y[order][reached])
        assert found.mean[row] == pytest.approx(w @ y)
        assert found.frame.loc[place, "ess"] == pytest.approx(1 / (w @ w))
        same = np.abs(y - y[row]) <= (found[place].high - found[place].low) / 2
        assert found[place].sdp == pytest.approx(w[same].sum())


def test_classes_have_probabilities():
    study, (X, _) = forest_study("classes"), rows()
    found = study.distribution(range(3), [0, 1])
    for row in range(3):
        w = weights_by_definition(study, X[row], [0, 1])
        wanted = [w[study.predicted == code].sum() for code in range(3)]
        np.testing.assert_allclose(found.probabilities.loc[row], wanted, atol=1e-12)
    assert found.frame.columns.tolist()[2:] == ["probability_0", "probability_1", "probability_2", "predicted", "sdp", "ess"]  # fmt: skip  # noqa: E501
    np.testing.assert_allclose(found.frame["sdp"], study.same_decision([0, 1], range(3)), atol=1e-12)
    assert found.classes == ("0", "1", "2")


def test_true_values_are_distributed_where_they_are_asked_for():
    study, (X, y) = forest_study(), rows()
    w = weights_by_definition(study, X[4], [0, 1])
    found = study.distribution(4, [0, 1], explained="labels")
    assert found.mean[4] == pytest.approx(w @ y)
    assert found.title == "Distribution of the true value given x0 and x1, row 4"


def test_new_values_need_the_columns_given_alone():
    study, (X, _) = forest_study(), rows()
    own = study.distribution(4, ["x0", "x1"])
    part = study.distribution({"x1": X[4, 1], "x0": X[4, 0]}, ["x0", "x1"])
    np.testing.assert_allclose(part.cdf([-1, 0, 1]), own.cdf([-1, 0, 1]))
    assert part.rows == (-1,)
    assert np.isnan(part.frame.loc[0, ["predicted", "sdp"]].astype(float)).all()
    frame = pd.DataFrame(X[:5, :2], columns=["x0", "x1"])
    np.testing.assert_allclose(study.distribution(frame, [0, 1]).mean, study.distribution(range(5), [0, 1]).mean)
    whole = study.distribution(pd.DataFrame(X[:2], columns=study.feature_names), [0, 1])
    pd.testing.assert_frame_equal(whole.frame.drop(columns="row"), study.distribution([0, 1], [0, 1]).frame.drop(columns="row"))  # fmt: skip  # noqa: E501
    series = study.distribution(pd.Series({"x0": X[4, 0], "x1": X[4, 1]}), [0, 1])
    np.testing.assert_allclose(series.mean, part.mean)


def test_levels_and_a_stress_count():
    study = people_study()
    found = study.distribution({"age": 25, "job": "nurse"}, ["age", "job"])
    assert found.given == ("age = 25, job = nurse",)
    assert found.frame.loc[0, "predicted"] is None
    assert sum(found[0].share) == pytest.approx(1)
    stressed = study.under(ts.Mean("age", tau=0.8)).distribution(3, "sex")
    assert stressed.frame.loc[0, "sdp"] == pytest.approx(
        study.under(ts.Mean("age", tau=0.8)).same_decision("sex", [3])[3]
    )
    assert abs(stressed.frame.loc[0, "sdp"] - study.distribution(3, "sex").frame.loc[0, "sdp"]) > 0.01


def test_a_line_for_each_row_and_its_values_tell_the_same():
    found = forest_study().distribution([2, 5, 9], [0])
    assert found.frame["row"].tolist() == [2, 5, 9]
    curves = found.curves
    assert curves.groupby("row")["share"].sum().to_numpy() == pytest.approx(np.ones(3))
    means = curves.assign(part=curves["value"] * curves["share"]).groupby("row")["part"].sum()
    np.testing.assert_allclose(means, found.mean)
    np.testing.assert_array_equal(found.frame[["q05", "q25", "q50", "q75", "q95"]], found.quantile())
    assert len(found) == 3
    assert found[1].features == ("x0",)
    assert pickle.loads(pickle.dumps(found)).frame.equals(found.frame)


def test_charts_of_one_row_and_several():
    study = forest_study()
    one = study.distribution(4, [0, 1])
    assert [layer["mark"]["type"] for layer in one.chart().to_dict()["layer"]] == ["rect", "line", "rule"]
    several = study.distribution(range(45), [0, 1]).chart().to_dict()
    assert [layer["mark"]["type"] for layer in several["layer"]] == ["rule", "bar", "tick", "point"]
    assert several["title"]["subtitle"][0] == "The first 40 of 45 rows."
    dots = forest_study("classes").distribution([0, 1], [0]).chart().to_dict()
    assert len(next(iter(dots["datasets"].values()))) == 2 * 3
    for result in (one, study.distribution({"x0": 1.0}, [0]), forest_study("classes").distribution([0, 1], [0])):
        assert result.plot().get_xlabel()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"row": 0, "features": ["x9"]}, UnknownName, "Nearest: 'x3'"),
        ({"row": 0, "features": []}, InputError, "some features, each once"),
        ({"row": [], "features": [0]}, InputError, "one at least"),
        ({"row": 300, "features": [0]}, InputError, "numbered 0 to 299"),
        ({"row": {"x1": 0.0}, "features": [0, 1]}, InputError, r"\['x0'\] are not there"),
        ({"row": {"x0": 0.0, "z": 1.0}, "features": [0]}, UnknownName, "no column 'z'"),
        ({"row": [0.5, 1.5], "features": [0]}, InputTypeError, "positions"),
        ({"row": 0, "features": [0], "pi": 0.9}, UnknownName, "no option 'pi'"),
        ({"row": [0, 1], "features": [0], "t": (-5.0, 5.0)}, InputError, "around one row's prediction"),
        ({"row": 0, "features": [0], "min_rows": 10_000}, InputError, "min_rows"),
    ],
)
def test_what_cannot_be_asked(given, error, words):
    with pytest.raises(error, match=words):
        forest_study().distribution(**given)


def test_questions_of_the_other_kind_are_refused():
    values, classes = forest_study().distribution(0, [0]), forest_study("classes").distribution(0, [0])
    with pytest.raises(InputError, match="Probabilities are of classes"):
        values.probabilities  # noqa: B018
    for ask in (lambda: classes.mean, lambda: classes.cdf([0.5]), lambda: classes.quantile([0.5])):
        with pytest.raises(InputError, match=r"of values, and this is of classes\. Use \.probabilities"):
            ask()
    with pytest.raises(InputError, match=r"levels must lie in \[0, 1\]"):
        values.quantile([1.5])
    with pytest.raises(InputError, match="values must be numbers"):
        values.cdf([np.nan])
