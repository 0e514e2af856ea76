"""One-hot columns that a person encoded, as one feature of sufficient sets, rules, proofs and lists."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName

COLOURS = ("red", "green", "blue", "grey")
COLUMNS = tuple(f"colour_{name}" for name in COLOURS)
GROUPS = {"colour": COLUMNS}


@cache
def rows(dropped=False, missing=False, dtype=float):
    """Yes for red and blue, whatever the size; one-hot columns apart from one another."""
    random = np.random.default_rng(0)
    colour, size = random.choice(COLOURS, 900), random.normal(size=900)
    X = pd.DataFrame({name: (colour == name.removeprefix("colour_")).astype(dtype) for name in COLUMNS})
    X.insert(2, "size", size)
    X["noise"] = random.normal(size=900)
    y = np.where(np.isin(colour, ("red", "blue")) | (size > 1.2), "yes", "no")
    if dropped:
        X = X.drop(columns="colour_grey")
    if missing:
        X.loc[:40, list(COLUMNS)] = np.nan
        y[:41] = "no"
    return X, y, colour


def study(**made) -> ts.Study:
    X, y, _ = rows(**made)
    return ts.Study(DecisionTreeClassifier(max_depth=6, random_state=0).fit(X, y), X, y)


def first(colour, above=None):
    X, _, colours = rows()
    return int(np.flatnonzero((colours == colour) & (X["size"] < 0))[0])


@pytest.mark.slow
def test_a_group_is_one_feature_and_its_level_one_value() -> None:
    found = study().sufficient(first("red"), groups=GROUPS)
    assert found.minimal == [("colour",)]
    assert found.values.index.tolist() == ["colour", "size", "noise"]
    assert found.values["colour"] == "red"
    assert found.message.startswith("colour = red: enough for predicted yes")
    assert found._spec.groups == GROUPS
    assert not found._forest.own
    apart = study().sufficient(first("green"), groups=GROUPS)
    assert apart.minimal == [("colour", "size")]
    assert study().sufficient(first("green"), groups=GROUPS, features=[1, "size"]).minimal == apart.minimal
    assert study().sufficient(first("red"), groups=GROUPS, features=["colour_blue"]).minimal == [("colour",)]


@pytest.mark.slow
def test_groups_agree_with_the_same_column_of_levels() -> None:
    X, y, colour = rows()
    levels = pd.DataFrame({"colour": colour, "size": X["size"], "noise": X["noise"]})

    def of_levels(asked):
        return np.where(asked["colour"].isin(["red", "blue"]) | (asked["size"] > 1.2), "yes", "no")

    def of_columns(asked):
        return np.where((asked[["colour_red", "colour_blue"]] == 1).any(axis=1) | (asked["size"] > 1.2), "yes", "no")

    by_name = {"colour": sorted(COLUMNS)}  # levels decided alike stay in the order given
    for row in (first("red"), first("green")):
        ours, theirs = ts.Study(of_columns, X, y), ts.Study(of_levels, levels, y)
        pd.testing.assert_frame_equal(ours.sufficient(row, groups=by_name).frame, theirs.sufficient(row).frame)
        for one, other in zip(ours.rules(row, groups=by_name), theirs.rules(row), strict=True):
            assert str(one).replace("of_columns", "of_levels") == str(other)


@pytest.mark.slow
def test_the_rule_names_levels_and_is_proved_over_them() -> None:
    asked = study()
    (rule,) = asked.rules(first("red"), groups=GROUPS)
    assert set(rule.bounds["colour"]) == {"red", "blue"}
    assert "colour is " in str(rule)
    assert rule.proof.status == "proved"
    X, y, _ = rows()
    linear = ts.Study(LogisticRegression().fit(X[list(COLUMNS)], y), X[list(COLUMNS)], y)
    (of_group,) = linear.rules(first("red"), groups=[COLUMNS])
    assert of_group.features == ("colour",)
    assert of_group.proof.status == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("made", [{"dropped": True}, {"missing": True}, {"dtype": bool}])
def test_a_dropped_level_missing_values_and_bools(made) -> None:
    X, _, colour = rows(**made)
    groups = {"colour": [name for name in COLUMNS if name in X]}
    asked = study(**made)
    row = 100 + int(np.flatnonzero((colour[100:] == "grey") & (X["size"][100:] < 0))[0])
    found = asked.rules(row, groups=groups)
    assert found.explanation.values["colour"] == ("none of these" if made.get("dropped") else "grey")
    assert found[0].proof.status == "proved"
    if made.get("missing"):
        gap = asked.rules(3, groups=groups)
        assert gap.explanation.values["colour"] is None
        assert "colour is missing" in str(gap[0])
        assert gap[0].proof.status in ("proved", "refuted", "open")


def test_rows_drawn_stay_one_hot() -> None:
    X, y, _ = rows()
    seen = []

    def model(asked):
        seen.append(asked[list(COLUMNS)].to_numpy())
        return np.where((asked[["colour_red", "colour_blue"]] == 1).any(axis=1), "yes", "no")

    rule = ts.Study(model, X, y).rules(first("red"), groups=GROUPS, n_drawn=500)[0]
    assert (rule.proof.n_drawn, rule.proof.n_differ) == (500, 0)
    assert all((one.sum(axis=1) == 1).all() for one in seen)


@pytest.mark.slow
def test_a_refuted_rule_names_the_level_that_overturns_it() -> None:
    X, _, _ = rows()

    def y_of(asked):
        return (asked["size"] > 0) ^ ((asked["colour_grey"] == 1) & (asked["noise"] > 1.5))

    y = y_of(X).to_numpy()
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    found = ts.Study(model, X, y).rules(0, groups=GROUPS, features=["size"], pi=0.9)
    assert found[0].proof.status == "refuted"
    assert found[0].proof.counterexample["colour"] == "grey"


@pytest.mark.slow
def test_new_values_by_level_or_by_column() -> None:
    X, _, _ = rows()
    asked, row = study(), first("blue")
    old = asked.sufficient(row, groups=GROUPS)
    for values in (X.iloc[row].to_dict(), old.values, old.values.to_dict()):
        new = asked.sufficient(values, groups=GROUPS)
        assert new.all == old.all
        assert new.values["colour"] == "blue"
    with pytest.raises(InputError, match=r"levels \['red', 'green', 'blue', 'grey'\]; got 'pink'"):
        asked.sufficient(old.values.to_dict() | {"colour": "pink"}, groups=GROUPS)
    with pytest.raises(InputError, match="none is in row 0"):
        asked.sufficient(X.iloc[row].to_dict() | {"colour_blue": 0.0}, groups=GROUPS)


@pytest.mark.slow
def test_swings_lists_and_pickles() -> None:
    X, _, _ = rows()
    asked = study()
    swings = asked.swing_rules(first("green"), groups=GROUPS, prove=True)
    assert len(swings) == 1
    assert {move.condition.column.name for move in swings[0].moves} == {"colour", "size"}
    found = asked.rule_list(groups=GROUPS, share=1.0)
    assert found.agreement["value"][0] > 0.97
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(X), found.predict(X))
    with pytest.raises(InputError, match="columns of a group are 0 or 1"):
        found.predict(X.assign(colour_red=1.0, colour_blue=1.0))


@pytest.mark.parametrize(
    ("groups", "error", "words"),
    [
        ("colour", InputTypeError, "a dict from a name"),
        ({"colour": ["colour_red", "colour_rde"]}, UnknownName, "colour_red"),
        ({"colour": ["colour_red"]}, InputError, "two at least"),
        ({"colour": ["size", "noise"]}, InputError, "0 or 1, at most one of them 1"),
        ([COLUMNS[:2], COLUMNS[1:3]], InputError, "name of its own"),
        ({"a": COLUMNS[:2], "b": COLUMNS[1:3]}, InputError, "one group at most"),
        ({"size": COLUMNS}, InputError, "name that no other column has"),
        ([["colour_red", "noise"]], InputError, "no beginning in common"),
    ],
)
def test_groups_that_are_none(groups, error, words) -> None:
    with pytest.raises(error, match=words):
        study().sufficient(0, groups=groups)


def test_a_forest_of_the_person_s_own_is_imitated_with_groups_and_projected_without() -> None:
    X, y, _ = rows()
    own = ts.Study(RandomForestClassifier(5, random_state=0).fit(X, y), X, y)
    assert own.sufficient(0)._forest.own
    assert not own.sufficient(0, groups=GROUPS)._forest.own


def test_rows_drawn_stay_one_hot_where_no_group_was_given() -> None:
    X, _, _ = rows()
    X = X.drop(columns="colour_grey")
    seen = []

    def model(asked):
        seen.append(asked[["colour_red", "colour_blue"]].to_numpy())
        return np.where(asked["colour_red"] == 1, "yes", "no")

    rule = ts.Study(model, X, model(X)).rules(first("red"), features=["colour_red"], n_drawn=500)[0]
    assert rule.proof.n_drawn == 500
    assert all((one.sum(axis=1) <= 1).all() for one in seen)
