"""Scenarios as a file: what is in it, and what is refused."""

import json
from importlib.metadata import version

import pytest

import tauscope as ts
from results.samples import HOSTILE, UNICODE, binary_study
from tauscope.results.stress.scenario_file import read_scenarios, scenarios_document, scenarios_text

OLDER = ts.Scenario("older", {"age": 0.5, HOSTILE: -0.25}, hold="means")
TRUE = ts.Scenario("Größe", {f"{UNICODE} = True": 1.0, "age = missing": 0.1})


def document():
    return scenarios_document(binary_study()._as_source(), [OLDER, TRUE])


def read(changed, **options):
    return read_scenarios(binary_study()._as_source(), scenarios_text(changed), "s.json", **options)


def test_what_is_in_it():
    study, saved = binary_study(), document()
    assert (saved["schema"], saved["version"], saved["quantile"], saved["seed"]) == (
        "tauscope.scenarios",
        1,
        0.05,
        None,
    )
    assert saved["data"] == {"hash": study.data_hash, "n_rows": 300, "columns": list(study.feature_names)}
    assert saved["packages"] == {name: version(name) for name in ("tauscope", "numpy", "scikit-learn", "pandas")}
    assert [one["name"] for one in saved["scenarios"]] == ["older", "Größe"]
    age, share = saved["scenarios"][0]["means"]["age"], saved["scenarios"][1]["means"][f"{UNICODE} = True"]
    moved = study.reweight(OLDER)
    assert (age["before"], age["target"]) == pytest.approx((moved._terms[0].present, moved.values[0]))
    assert (age["unit"], share["unit"], share["target"]) == ("", "share", 1.0)


def test_seeds_units_and_days():
    drawn = ts.Study.from_ranges(lambda X: X["a"] > 0.5, {"a": (0, 1.0)}, n=50, random_state=7)
    assert scenarios_document(drawn._as_source(), [ts.Scenario("a", {"a": 0.5})])["seed"] == 7


def test_it_is_read_as_it_was_written():
    assert read(document()) == (OLDER, TRUE)
    assert "Größe" in scenarios_text(document()).decode()


def test_half_of_a_surrogate_pair_is_written_as_its_escape():
    one = document()
    one["data"]["columns"] = ["\ud800"]
    assert json.loads(scenarios_text(one))["data"]["columns"] == ["\ud800"]
    assert read(one) == (OLDER, TRUE)


def changed(**fields):
    return {**document(), **fields}


def with_scenario(**fields):
    return changed(scenarios=[{**document()["scenarios"][0], **fields}])


WRONG = {
    "another schema": (lambda: changed(schema="tauscope.reweighting"), "has the schema 'tauscope.scenarios'; got 'tau"),
    "no mapping": (lambda: [document()], "schema .* got None in 's.json'. Give one that study.save_scenarios wrote"),
    "a later version": (
        lambda: changed(version=2, packages={"tauscope": "9.0"}),
        "reads version 1 .* got 2 in 's.json'. Save .* the Tauscope that wrote them, 9.0",
    ),
    "no version": (lambda: changed(version=None), "version 1 of tauscope.scenarios; got None"),
    "no list": (lambda: changed(scenarios={"a": 1}), "has a list of them; got {'a': 1}"),
    "none": (lambda: changed(scenarios=[]), "At least one scenario"),
    "twice": (lambda: changed(scenarios=document()["scenarios"][:1] * 2), "got 'older' twice. Rename"),
    "no scenario": (lambda: changed(scenarios=[3]), "Scenario 1 in 's.json' must have name, taus, hold; name is not"),
    "a strange τ": (lambda: with_scenario(taus={"age": 45}), "Scenario 1 in 's.json' cannot be read. τ of 'age' must"),
    "a strange hold": (lambda: with_scenario(hold="all"), "cannot be read. hold must be one of"),
    "a strange kind": (lambda: with_scenario(taus=[1]), "cannot be read. taus must be a mapping"),
    "another column": (
        lambda: with_scenario(taus={"agee": 0.5}),
        "'older' moves a feature that this study has not. There is no feature 'agee'. Nearest: 'age'. Rename it",
    ),
    "other data": (
        lambda: changed(data={"hash": "f" * 64, "n_rows": 1200}),
        r"other data \(hash ffffffffffffffff, 1,200 rows; this study's is \w{16}, 300 rows\).* check_data=False",
    ),
    "no hash": (lambda: changed(data=None), r"other data \(hash none; this study's"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.slow
def test_what_does_not_match_is_refused_by_name(case):
    make, message = WRONG[case]
    with pytest.raises(ts.InputError, match=message):
        read(make())


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(ts.InputError, match=r"is JSON; 's\.json' cannot be read as such"):
        read_scenarios(binary_study()._as_source(), text, "s.json")


def test_by_names_on_other_data():
    assert read(changed(data=None), check_data=False) == (OLDER, TRUE)
    with pytest.raises(ts.UnknownName, match="Nearest: 'age'"):
        read(with_scenario(taus={"agee": 0.5}), check_data=False)


def test_what_is_no_list_of_scenarios_is_not_written():
    source = binary_study()._as_source()
    for given, message in (([], "At least one"), ([OLDER, OLDER], "'older' twice"), ([3], "ts.Scenario; got 3 in it")):
        with pytest.raises((ts.InputError, ts.InputTypeError), match=message):
            scenarios_document(source, given)
    with pytest.raises(ts.UnknownName, match="'agee'"):
        scenarios_document(source, [ts.Scenario("a", {"agee": 0.5})])
