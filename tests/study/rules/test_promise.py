"""What a rule promises, measured on rows it was not chosen on: π of those it holds for are decided as it says.

It keeps that where it holds for some rows of the forest. One that holds for a handful was chosen because these agree:
of it only the held-out interval is to be believed.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_wine, make_classification, make_friedman1
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler

import real_data
import tauscope as ts

PI = 0.9
ROWS = 20
FRESH = 2000
NARROW = 20
"""Rows of the forest below which a rule says little but that it was chosen."""


@dataclass(frozen=True)
class Case:
    """A model, the rows its rules are made on, and others; of numbers also which count as the same."""

    model: Any
    X: Any
    y: Any
    fresh: Any
    t: Any = "q95"


def _made_forest() -> Case:
    X, y = make_classification(1500 + FRESH, 8, n_informative=4, n_redundant=2, flip_y=0.1, random_state=0)
    forest = RandomForestClassifier(20, min_samples_leaf=3, random_state=0).fit(X[:1500], y[:1500])
    return Case(forest, X[:1500], y[:1500], X[1500:])


def _made_linear() -> Case:
    X, y = make_classification(1500 + FRESH, 6, n_informative=4, random_state=1)
    return Case(LogisticRegression().fit(X[:1500], y[:1500]), X[:1500], y[:1500], X[1500:])


def _made_numbers() -> Case:
    X = np.random.default_rng(2).normal(size=(1500 + FRESH, 6))
    y = np.where(X[:, 0] > 0, 4 + X[:, 1], -4 + X[:, 2])
    boosting = GradientBoostingRegressor(random_state=0).fit(X[:1500], y[:1500])
    return Case(boosting, X[:1500], y[:1500], X[1500:], t=2.0)


def _made_narrow() -> Case:
    """Five columns count and none is idle, so that what is enough takes nearly all of them."""
    X, y = make_friedman1(1500 + FRESH, n_features=6, noise=0.3, random_state=0)
    boosting = GradientBoostingRegressor(random_state=0).fit(X[:1500], y[:1500])
    return Case(boosting, X[:1500], y[:1500], X[1500:])


def _adult() -> Case:
    people = real_data.adult("train")[: 2000 + FRESH]
    y = people.pop("income")
    texts = list(people.select_dtypes(exclude="number"))
    coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    boosting = HistGradientBoostingClassifier(max_iter=50, random_state=0)
    model = make_pipeline(make_column_transformer((coder, texts), remainder="passthrough"), boosting)
    model.fit(people[:2000], y[:2000])
    return Case(model, people[:2000], y[:2000], people[2000:].reset_index(drop=True))


def _halved(load: Any) -> Case:
    X, y = load(return_X_y=True, as_frame=True)
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X.iloc[order].reset_index(drop=True), y.iloc[order].to_numpy()
    n = len(X) * 6 // 10
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:n], y[:n])
    return Case(model, X[:n], y[:n], X[n:].reset_index(drop=True))


CASES = {
    "forest": _made_forest,
    "linear": _made_linear,
    "numbers": _made_numbers,
    "narrow": _made_narrow,
    "adult": _adult,
    "breast cancer": lambda: _halved(load_breast_cancer),
    "wine": lambda: _halved(load_wine),
}


def _inside(rule: Any, frame: pd.DataFrame) -> np.ndarray:
    """Apply the conditions a person reads, to rows the study does not have."""
    inside = np.ones(len(frame), dtype=bool)
    for condition in rule.conditions:
        values = frame[condition.column.name]
        if condition.column.kind == "levels":
            inside &= values.isin(condition.bounds).to_numpy()
        else:
            lower, upper = condition.bounds
            inside &= ((values > lower) & (values <= upper)).to_numpy()
    return inside


@cache
def promised(name: str) -> pd.DataFrame:
    """Count each rule on rows it was not chosen on: fresh ones, and those the study kept from its forest."""
    case = CASES[name]()
    study = ts.Study(case.model, case.X, case.y, progress=False)
    fresh = pd.DataFrame(case.fresh, columns=study.feature_names) if isinstance(case.fresh, np.ndarray) else case.fresh
    answers = np.asarray(case.model.predict(case.fresh))
    lines = list[dict[str, Any]]()
    for row in np.random.default_rng(0).permutation(study.n_rows)[:ROWS].tolist():
        found = study.rules(row, pi=PI, t=case.t, max_rules=1, proof_budget=0, n_drawn=0)
        for rule in found:
            inside = _inside(rule, fresh)
            n, right = int(inside.sum()), int(_agrees(study, row, found, answers[inside]).sum())
            low, high = binomtest(right, n).proportion_ci(0.95, "exact") if n else (0.0, 1.0)
            kept = rule.held_out
            unknown = kept is None or np.isnan(kept.upper)
            lines.append(
                {
                    "n": n,
                    "right": right,
                    "wide": rule.training.n_inside >= NARROW,
                    "sdp_min": rule.sdp_min,
                    "compatible": high >= PI,
                    "as held out": np.nan if unknown else float(kept.lower <= high and low <= kept.upper),
                }
            )
    return pd.DataFrame(lines)


def _agrees(study: ts.Study, row: int, found: Any, answers: np.ndarray) -> np.ndarray:
    if study._task != "regression":
        return answers == np.asarray(study.classes)[study.predicted[row]]
    return (answers - study.predicted[row]) ** 2 <= _tolerance(found)


def _tolerance(found: Any) -> float:
    """Squared half the width of the values that the rules of a regression call the same."""
    low, high = (
        float(word.replace("−", "-").replace(",", ""))
        for word in found.explanation._answer.removeprefix("predicted between ").split(" and ")
    )
    return ((high - low) / 2) ** 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if name != "narrow"])
def test_a_rule_holds_on_rows_it_was_not_chosen_on(name: str) -> None:
    rules = promised(name)
    assert len(rules) >= 5
    assert (rules["sdp_min"] >= PI).all()
    assert rules["right"].sum() >= PI * rules["n"].sum()


@pytest.mark.slow
def test_nineteen_rules_in_twenty_are_compatible_with_their_promise() -> None:
    rules = pd.concat([promised(name) for name in CASES])
    wide = rules[rules["wide"]]
    assert len(wide) >= 60
    assert (wide["n"] > 0).all()
    assert wide["compatible"].mean() >= 0.95


@pytest.mark.slow
def test_the_held_out_interval_says_what_fresh_rows_say() -> None:
    rules = pd.concat([promised(name) for name in CASES])
    assert (~rules["wide"]).sum() >= 5
    assert rules["as held out"].mean() >= 0.95


@pytest.mark.slow
def test_cells_of_more_rows_do_not_promise_what_a_handful_says() -> None:
    rules = promised("narrow")
    assert rules["right"].sum() < PI * rules["n"].sum()
    case = CASES["narrow"]()
    study = ts.Study(case.model, case.X, case.y, progress=False)
    large = [study.sufficient(row, pi=PI, min_rows=30, probability="projected").status for row in range(ROWS)]
    assert set(large) == {"none reaches π"}
