"""A whole number names a column: by name where one is named so, else by position, in every place that takes one."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts

RANDOM = np.random.default_rng(4)
N = 240
X = pd.DataFrame(
    {"age": RANDOM.normal(40, 9, N), "income": RANDOM.lognormal(3, 1, N), "vip": RANDOM.random(N) < 0.4,
     "city": RANDOM.integers(0, 3, N)}
)  # fmt: skip
Y = (X.age / 40 + X.vip + RANDOM.normal(0, 0.5, N) > 1.4).astype(int)
NAMED = {"age": 2, "income": 0, "vip": 1, "city": 7}
NAMES = {"as named": NAMED, "by position": {name: j for j, name in enumerate(X)}}
"""Which whole number is which column, where columns are named by whole numbers, and where by words."""


def predict(rows):
    return 1 / (1 + np.exp(5 - 3 * np.asarray(rows)[:, 0].astype(float) / 25 - np.asarray(rows)[:, 2].astype(float)))


def study(numbers, chunked=False):
    rows = X.rename(columns=NAMED) if numbers is NAMED else X
    if chunked:
        parts = [slice(0, 100), slice(100, N)]
        return ts.ChunkedStudy(predict, [(rows[part], Y[part]) for part in parts], progress=False)
    return ts.Study(predict, rows, Y)


def shown(numbers, text):
    """Return the names of columns as a study of those numbers has them."""
    return str(numbers[text]) if numbers is NAMED else text


CONSTRAINTS = {
    "mean": lambda at: ts.Mean(at("age"), shift=1.0),
    "variance": lambda at: ts.Variance(at("age"), scale=0.9),
    "covariance": lambda at: ts.Covariance(at("age"), at("income"), 0.0),
    "share": lambda at: ts.Share(at("vip"), True, 0.5),
    "several": lambda at: ts.Mean(at("age"), tau=0.1) & ts.Share(at("vip"), True, 0.5),
}


@pytest.mark.parametrize("as_type", [int, np.int64, np.uint8])
@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("numbers", NAMES)
def test_constraints(numbers, constraint, chunked, as_type):
    numbers = NAMES[numbers]
    asked = study(numbers, chunked)
    found = asked.reweight(CONSTRAINTS[constraint](lambda name: as_type(numbers[name])))
    wanted = asked.reweight(CONSTRAINTS[constraint](lambda name: shown(numbers, name)))
    assert repr(found.stress) == repr(wanted.stress)
    assert np.array_equal(found.values, wanted.values)


GROUPED = {
    "metrics": lambda study, by: study.metrics_by(by),
    "curves": lambda study, by: study.stress_curves(["age"] if "age" in study.feature_names else ["2"]).by(by),
    "calibration": lambda study, by: study.calibration(by=by),
    "thresholds": lambda study, by: study.threshold_curves(by=by),
    "effect": lambda study, by: study.effect(0).by(by),
}


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize("verb", GROUPED)
@pytest.mark.parametrize("numbers", NAMES)
def test_groups(numbers, verb, chunked):
    numbers = NAMES[numbers]
    asked = study(numbers, chunked)
    for columns in (["vip"], ["city", "vip"]):
        found = GROUPED[verb](asked, [numbers[name] for name in columns])
        assert found.frame.equals(GROUPED[verb](asked, [shown(numbers, name) for name in columns]).frame)
    lone = GROUPED[verb](asked, numbers["vip"])
    assert lone.frame.equals(GROUPED[verb](asked, shown(numbers, "vip")).frame)


@pytest.mark.parametrize("numbers", NAMES)
def test_margins_of_another_population(numbers):
    numbers = NAMES[numbers]
    asked = study(numbers)
    margins = {"age": 42.0, "vip": {True: 0.5, False: 0.5}}
    found = asked.towards({numbers[name]: value for name, value in margins.items()})
    wanted = asked.towards({shown(numbers, name): value for name, value in margins.items()})
    assert found.frame.equals(wanted.frame)


def test_labels_are_no_names():
    asked = study(NAMED)
    labels = (np.arange(N) % 2).tolist()
    assert asked.metrics_by(labels).frame["group"].nunique() == 2
    with pytest.raises(ts.InputError, match="one entry per row of X; got 3 for 240"):
        asked.metrics_by([0, 1, 1])
    for wrong in (True, 2.0, [2.0, 0.0]):
        with pytest.raises(ts.TauscopeError):
            asked.metrics_by(wrong)


@pytest.mark.parametrize("number", [3, -1, 9])
def test_a_number_that_names_no_column_is_refused(number):
    for ask in (
        lambda asked: asked.reweight(ts.Mean(number, tau=0.1)),
        lambda asked: asked.metrics_by(number),
    ):
        for chunked in (False, True):
            with pytest.raises(ts.UnknownName, match=f"no column '{number}'"):
                ask(study(NAMED, chunked))


def test_two_ways_to_name_one_column_are_one():
    with pytest.raises(ts.DependentConstraints, match="mean of 2 is constrained twice"):
        study(NAMED).reweight(ts.Mean(2, tau=0.1) & ts.Mean("2", tau=0.2))
    with pytest.raises(ts.InputTypeError, match="Mean takes the name of a feature; got True"):
        ts.Mean(True, tau=0.1)


AT = {"age": 0.2, "income": -0.1}


def scenario(at):
    return ts.Scenario("other", {at(name): tau for name, tau in AT.items()})


def joint(asked, at):
    return asked.joint_stress().at({at(name): tau for name, tau in AT.items()}).metrics


def saved(asked, at):
    asked.save_scenarios("scenarios.json", [scenario(at)])
    return asked.load_scenarios("scenarios.json")


def report(asked, at):
    asked.report("report.html", scenarios=[scenario(at)], features=[at("age")])
    return re.sub(r'src="data:[^"]*"', "", Path("report.html").read_text("utf-8"))  # pictures number their parts anew


def refit(asked, at):
    curves = asked.refit_curves(LogisticRegression(), asked.X, Y, n_splits=2, taus=3, random_state=0, progress=False)
    return curves.chart(features=[at("age")])


STRESSED = {
    "reweight": lambda asked, at: asked.reweight(scenario(at)).metrics,
    "joint, scenario": lambda asked, at: asked.joint_stress().at(scenario(at)).metrics,
    "joint": joint,
    "effect": lambda asked, at: asked.effect(0, grid=4).under(scenario(at)).frame,
    "scenarios": lambda asked, at: asked.compare_scenarios([scenario(at)]).frame,
    "scenarios themselves": lambda asked, at: asked.compare_scenarios([scenario(at)]).scenarios,
    "a file": saved,
    "code": lambda asked, at: asked.to_code(scenario(at)),
    "workspace": lambda asked, at: asked.workspace(scenarios=[scenario(at)]).scenarios,
    "models": lambda asked, at: ts.compare(asked, asked, scenario(at)).frame,
    "models along": lambda asked, at: ts.compare(asked, asked).along(at("age"), taus=3),
    "models drawn": lambda asked, at: ts.compare(asked, asked).chart(along=at("age"), taus=3),
    "curves": lambda asked, at: asked.stress_curves(taus=3).chart(features=[at("age")], highlight=at("age")),
    "some curves": lambda asked, at: asked.stress_curves([at("income"), at("age")], taus=3).chart(features=at("age")),
    "paths": lambda asked, at: asked.stress_curves(taus=3).roc_chart(features=at("age")),
    "curves by group": lambda asked, at: asked.stress_curves(taus=3).by(at("vip")).chart(feature=at("age")),
    "refits": refit,
    "histograms": lambda asked, at: asked.reweight(ts.Mean(at("age"), tau=0.1)).chart("histograms", at("city")),
    "report": report,
}


@pytest.mark.slow
@pytest.mark.parametrize("verb", STRESSED)
@pytest.mark.parametrize("numbers", NAMES)
def test_scenarios_and_pictures(numbers, verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    numbers = NAMES[numbers]
    asked = study(numbers)
    found, wanted = (STRESSED[verb](asked, at) for at in (numbers.__getitem__, lambda name: shown(numbers, name)))
    if isinstance(found, pd.DataFrame):
        assert found.equals(wanted)
    elif isinstance(found, str | tuple | list):
        assert found == wanted
    else:
        assert found.to_dict() == wanted.to_dict()


def test_all_levels_of_a_numbered_column_are_drawn():
    rows = X.assign(city=X.city.map({0: "Bonn", 1: "Oslo", 2: "Rome"}))
    curves = ts.Study.from_predictions(rows, Y, Y).stress_curves(taus=3)
    levels = [name for name in curves.feature_names if name.startswith("city")]
    assert len(levels) == 3
    assert curves.chart(features=[3]).to_dict() == curves.chart(features=levels).to_dict()


def test_a_scenario_has_one_shift_for_each_feature():
    twice = ts.Scenario("twice", {2: 0.1, "2": 0.2})
    assert eval(repr(twice), {"ts": ts}) == twice
    with pytest.raises(ts.InputError, match="one τ for each feature; got two of '2'"):
        study(NAMED).reweight(twice)
    with pytest.raises(ts.InputTypeError, match="by the name of a feature; got True"):
        ts.Scenario("flag", {True: 0.1})


def test_effects_of_all_columns_are_those_of_their_names():
    asked = study(NAMED)
    names = asked.feature_names
    for found in (asked.effects(grid=4, progress=False), asked.effects(["2", 7], grid=4, progress=False)):
        for one in found:
            assert one.frame.equals(asked.effect(one.feature_names[0], grid=4, progress=False).frame)
    assert [one.feature_names[0] for one in asked.effects(grid=4, progress=False)] == [*names]
