"""The row explained meets its own rules, and rows counted are those their sides hold: as a person counts and reads."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from tauscope.views.rules.answer import answer_wire

N = 120
ROWS = range(0, N, 10)
COLUMNS = {
    "tenths": lambda step: np.round(step / 10, 1),
    "single": lambda step: np.round(step / 10 - 2, 1).astype(np.float32),
    "whole": lambda step: step,
    "whole beyond 2²⁴": lambda step: 2**24 + step,
    "whole beyond 2⁵³": lambda step: 2.0**55 + step * 2.0**31,
    "halves below −2²⁴": lambda step: -(2.0**24) - step / 2,
    "tenths about 10⁷": lambda step: np.round(1e7 + step / 10, 1),
    "large": lambda step: (step - 20) * 1e30,
}


@cache
def rules(name):
    """Explain some rows of two columns of one kind."""
    random = np.random.default_rng(1)
    X = pd.DataFrame({name: COLUMNS[name](random.integers(0, 40, N))})
    X["other"] = random.permutation(X[name])
    low, high, most = (X[name].quantile(share) for share in (0.25, 0.75, 0.8))

    def decide(rows):
        return np.where(rows[name].between(low, high) | (rows["other"] > most), "yes", "no")

    study = ts.Study(decide, X, decide(X), progress=False)
    return X, [study.rules(row, pi=0.8, n_estimators=10, n_drawn=0) for row in ROWS]


def within(rule, X):
    """Count as a person would: above the one bound and up to the other, in the numbers as they came."""
    held = np.ones(len(X), dtype=bool)
    for name, (lower, upper) in rule.bounds.items():
        values = X[name].to_numpy(np.float64)
        held &= (values > lower) & (values <= upper)
    return held


def read(number):
    return float(number.replace("−", "-").replace(",", ""))


def as_read(condition, values):
    """Tell which values meet the words of a condition."""
    name, words = re.escape(condition.column.name), str(condition)
    forms = {
        rf"any {name}": lambda v: np.ones(len(v), bool),
        rf"(.+) < {name} ≤ (.+)": lambda v, low, high: (v > low) & (v <= high),
        rf"{name} from (.+) to (.+)": lambda v, low, high: (v >= low) & (v <= high),
        rf"{name} ≤ (.+)": lambda v, high: v <= high,
        rf"{name} > (.+)": lambda v, low: v > low,
        rf"{name} ≥ (.+)": lambda v, low: v >= low,
        rf"{name} is (.+)": lambda v, one: v == one,
    }
    found = [(re.fullmatch(form, words), meets) for form, meets in forms.items()]
    match, meets = next((match, meets) for match, meets in found if match)
    return meets(values, *map(read, match.groups()))


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_the_row_is_inside_its_rules_and_the_rows_counted_are_those_inside(name):
    X, found = rules(name)
    assert sum(map(len, found)) > 3
    for row, result in zip(ROWS, found, strict=True):
        for rule in result:
            held = within(rule, X)
            assert held[row]
            counted = [part.n_inside for part in (rule.training, rule.held_out) if part]
            assert sum(counted) == held.sum()


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_the_words_of_a_rule_hold_the_same_rows(name):
    X, found = rules(name)
    for result in found:
        for rule in result:
            read_inside = [as_read(one, X[one.column.name].to_numpy(np.float64)) for one in rule.conditions]
            assert (np.logical_and.reduce(read_inside) == within(rule, X)).all()
            assert all(str(one) in repr(rule) for one in rule.conditions if not one.open)


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_the_page_is_told_of_the_same_rows(name):
    X, found = rules(name)
    for row, result in zip(ROWS, found, strict=True):
        answer = answer_wire(result)
        cells = np.frombuffer(answer.cells, dtype=np.uint8).reshape(-1, N)
        own = iter(cells)
        for rule, told in zip(result, answer.message["rules"], strict=True):
            inside = np.ones(N, dtype=bool)
            for axis, condition in zip(told["axes"], rule.conditions, strict=True):
                inside &= np.array(axis["inside"])[next(own)]
                assert axis["inside"][int(np.searchsorted(axis["cuts"], axis["value"], side="left"))]
                assert condition.holds(np.array([read(axis["value_words"])])).all()
            assert (inside == within(rule, X)[result.rows.position]).all()
            assert inside[result.rows.position == row].all()


def test_a_rule_of_a_tree_reaches_no_number_that_its_rounding_takes_across_a_threshold():
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.integers(0, 2, 300) / 2 + 0.25, "b": random.normal(size=300)})
    y = np.where(X["a"] > 0.5, "yes", "no")  # what the tree finds too
    study = ts.Study(DecisionTreeClassifier(random_state=0).fit(X, y), X, y, progress=False)
    rule = study.rules(int(np.flatnonzero(y == "yes")[0]), n_estimators=5)[0]
    lower, _ = rule.bounds["a"]
    assert 0.5 < lower < 0.75
    assert np.float32(np.nextafter(lower, 1)) > np.float32(0.5)
    assert rule.proof.status == "proved"
