"""Scenarios kept in a file, and put side by side."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from results.samples import QUOTED, binary_study

OLDER = ts.Scenario("older", {"age": 0.5})


def test_a_file_there_and_back(tmp_path):
    study, path = binary_study(), tmp_path / "a.JSON"
    study.save_scenarios(path, [OLDER])
    assert study.load_scenarios(str(path)) == (OLDER,)
    part = study.where(np.arange(300) < 200)
    with pytest.raises(ts.InputError, match=r"'a.JSON' are of other data .* 300 rows; .* 200 rows"):
        part.load_scenarios(path)
    assert part.load_scenarios(path, check_data=False) == (OLDER,)


def test_another_ending_and_no_file_are_refused(tmp_path):
    study = binary_study()
    for ask in (lambda: study.save_scenarios(tmp_path / "a.csv", [OLDER]), lambda: study.load_scenarios("a")):
        with pytest.raises(ts.InputError, match=r"\.json file; got 'a.*Use 'scenarios.json'"):
            ask()
    with pytest.raises(FileNotFoundError, match=r"a\.json"):
        study.load_scenarios(tmp_path / "a.json")


def test_a_file_stays_where_the_next_is_refused(tmp_path):
    study, path = binary_study(), tmp_path / "a.json"
    study.save_scenarios(path, [OLDER])
    before = path.read_bytes()
    with pytest.raises(ts.UnknownName):
        study.save_scenarios(path, [ts.Scenario("b", {"agee": 1})])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("scenarios", [OLDER, "older", 3])
def test_one_alone_is_asked_for_as_a_list(scenarios, tmp_path):
    with pytest.raises(ts.InputTypeError, match="scenarios must be a sequence"):
        binary_study().save_scenarios(tmp_path / "a.json", scenarios)


HELD = ts.Scenario("held", {"age": 0.3, "gain": 0.1}, hold="means")


@pytest.mark.parametrize("metrics", [None, "error_rate", ["f1", "error_rate"]])
@pytest.mark.slow
def test_the_numbers_are_those_of_each_alone(metrics):
    study = binary_study()
    compared = study.compare_scenarios([OLDER, HELD], metrics=metrics, confidence=0.8, quantile=0.1)
    frame = compared.frame.set_index("scenario")
    for one in (OLDER, HELD):
        alone = study.reweight(one, metrics=metrics, confidence=0.8, quantile=0.1)
        pd.testing.assert_frame_equal(frame.loc[[one.name], list(alone.metrics)].reset_index(drop=True), alone.metrics)
        assert (frame.loc[one.name, "ess"] == alone.ess).all()
    joint = study.joint_stress(metrics=metrics, confidence=0.8)
    tested = frame.loc[["as tested"]]
    assert tested["metric"].tolist() == list(joint.metric_names)
    for name in ("value", "lower", "upper"):
        np.testing.assert_array_equal(tested[name], [getattr(each, name) for each in joint.unstressed])
    assert (tested["ess"] == 300).all()


def test_weights_of_the_study_count():
    weight = np.arange(1.0, 301)
    study = ts.Study.from_predictions(
        pd.DataFrame({"a": np.arange(300.0)}), np.arange(300) % 2, np.arange(300) % 3 == 0, sample_weight=weight
    )
    compared = study.compare_scenarios([ts.Scenario("a", {"a": 0.1})], metrics="error_rate")
    assert compared.frame["ess"][0] == pytest.approx(weight.sum() ** 2 / (weight**2).sum())


def test_what_cannot_be_compared_says_which():
    study = binary_study()
    cases = [
        ([], "At least one scenario"),
        ([OLDER, OLDER], "'older' twice"),
        ([ts.Scenario("as tested", {"age": 0.1})], "names the population without a scenario. Rename"),
        ([OLDER, ts.Scenario("b", {"agee": 0.1})], "no feature 'agee'. Nearest: 'age'"),
        (
            [OLDER, ts.Scenario("b", {f"{QUOTED} = plain": 1, f"{QUOTED} = it's": 1})],
            "Scenario 'b': No weights on these rows",
        ),
    ]
    for scenarios, message in cases:
        with pytest.raises(ts.InputError, match=message):
            study.compare_scenarios(scenarios)
    with pytest.raises(ts.InputTypeError, match=r"list of ts\.Scenario; got 'older' in it"):
        study.compare_scenarios(["older"])
    with pytest.raises(ts.UnknownName, match="eror"):
        study.compare_scenarios([OLDER], metrics="eror_rate")
