"""The model asked with a row's values put into other rows: by hand, and what it promises of rows not searched on."""

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from sklearn.datasets import make_classification
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import real_data
import tauscope as ts
from tauscope.errors import InputError
from tauscope.study.rules.forest import study_forest
from tauscope.views.rules.rules import rules_table

N = 300
OPTIONS = {"n_estimators": 10, "random_state": 0}


@cache
def rows():
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.normal(size=(N, 4)), columns=list("abcd"))
    X["job"] = random.choice(["clerk", "nurse", "baker"], N)
    return X


def rare(X):
    """Two values in a hundred are refused: of nurses with both numbers large."""
    return np.where((X["a"] > 0.7) & (X["b"] > 0.5) & (X["job"] == "nurse"), "no", "yes")


@cache
def study(weighted=False):
    return ts.Study(rare, rows(), sample_weight=1 + np.arange(N) % 3 if weighted else None, progress=False)


def refused():
    return int(np.flatnonzero(study().predicted == 0)[0])


def share_by_hand(study, row, names, model=rare):
    """Put the values into every other row, one by one."""
    X, others = rows(), np.delete(np.arange(N), row)
    put = X.iloc[others].assign(**{name: X[name].iloc[row] for name in names})
    weight = np.ones(N) if study.sample_weight is None else study.sample_weight
    return np.average(model(put) == model(X.iloc[[row]])[0], weights=weight[others])


@pytest.mark.parametrize("weighted", [False, True])
def test_a_rare_decision_is_explained_by_what_the_model_decides(weighted):
    asked = study(weighted)
    found = asked.sufficient(refused(), **OPTIONS)
    assert found.message.startswith("The forest that stands in for rare answers yes for this row, so the model")
    assert {frozenset(names) for names in found.minimal} == {frozenset({"a", "b", "job"})}
    assert found.n_substituted == N - 1
    assert found.n_model_rows > 0
    for _, line in found.frame.iterrows():
        assert line["sdp"] == pytest.approx(share_by_hand(asked, refused(), line["features"]))


@pytest.mark.parametrize("pi", [0.8, 0.95])
def test_sets_reach_pi_with_their_whole_interval_and_none_of_their_parts_does(pi):
    row = int(np.flatnonzero(study().predicted == 1)[0])
    found = study().sufficient(row, pi=pi, probability="substituted", **OPTIONS)
    sufficient = set()
    for size in range(1, 6):
        for names in combinations(rows().columns, size):
            share = share_by_hand(study(), row, names)
            low = binomtest(round(share * (N - 1)), N - 1).proportion_ci(0.95, "exact").low
            if (low >= pi or share == 1) and not any(part < set(names) for part in sufficient):
                sufficient.add(frozenset(names))
    assert {frozenset(names) for names in found.all} == sufficient
    assert found.frame.loc[found.frame["minimal"], "lower"].ge(pi).all()
    assert found.stand_in == ""


def test_the_paper_s_probability_stays_where_it_is_asked_for_or_forest_and_model_agree():
    paper = study().sufficient(refused(), probability="projected", **OPTIONS)
    assert paper.n_substituted == paper.n_model_rows == 0
    assert paper.message.startswith(
        "The forest that stands in for rare answers yes for this row: its probabilities explain the forest, not "
        "this decision. No set"
    )
    row = int(np.flatnonzero(study().predicted == 1)[0])
    alike = study().sufficient(row, **OPTIONS)
    assert alike.n_substituted == 0
    assert "stands in" not in alike.message
    predictions = ts.Study.from_predictions(rows(), y_pred=rare(rows()))
    assert predictions.sufficient(refused(), **OPTIONS).n_substituted == 0


def test_agreement_is_said_by_class_of_trees_that_were_not_fitted_on_the_row():
    result = study().sufficient(refused(), **OPTIONS)
    forest = study_forest(study(), result._spec)
    projected, table = forest.projected, forest.table.rows
    decided = study().predicted
    wrong = np.zeros(2)
    for position in range(N):
        place = np.flatnonzero(forest.training == position)
        votes = np.zeros(2)
        for tree in range(projected.n_trees):
            if not len(place) or projected.counts[tree, place[0]] == 0:
                leaf = projected.trees.leaves(table[[position]])[tree][0]
                votes += projected.trees.value[leaf]
        wrong[decided[position]] += votes.argmax() != decided[position] if votes.any() else 0
    by_class = {name: (share, n) for name, share, n in result._forest.by_class}
    for code, name in enumerate(("no", "yes")):
        n = int((decided == code).sum())
        assert by_class[name] == (pytest.approx(1 - wrong[code] / n), n)
        assert f"{name} " in result.notes[-1]


def test_the_rule_of_a_rare_decision_keeps_it():
    found = study().rules(refused(), n_drawn=0, proof_budget=0, **OPTIONS)
    (rule,) = found
    first = "The forest that stands in for rare answers yes for this row, so the model itself was asked."
    assert repr(found).splitlines()[1] == found.chart().to_dict()["title"]["subtitle"][0] == first
    assert first in rules_table(found)
    assert set(rule.features) == {"a", "b", "job"}
    fresh = pd.DataFrame(np.random.default_rng(5).normal(size=(4000, 4)), columns=list("abcd")).assign(job="nurse")
    (low, _), (lower, _) = rule.bounds["a"], rule.bounds["b"]
    assert 0.5 < low < rows()["a"].iloc[refused()]
    assert rule.bounds["job"] == ("nurse",)
    inside = (fresh["a"] > low) & (fresh["b"] > lower)
    assert (rare(fresh[inside]) == "no").mean() > 0.9
    assert rule.sdp_min >= 0.95


@pytest.mark.parametrize("columns", [list("abcd"), ["a", "b", "job"]])
def test_rules_of_the_model_itself_reach_pi_at_every_row_inside(columns):
    X = rows()[columns].assign(b=rows()["b"].round(1))
    asked = ts.Study(lambda table: table["a"] * 2 + table["b"] > 2.4, X, progress=False)
    few = np.flatnonzero(asked.predicted)[:6]
    found = asked.rules(few, probability="substituted", pi=0.9, n_drawn=0, proof_budget=0, n_estimators=5)
    sdp = [rule.sdp_min for one in found for rule in one]
    assert len(sdp) >= 3
    assert min(sdp) >= 0.9


def test_values_of_a_regression_are_asked_for_too():
    asked = ts.Study(lambda X: np.where(rare(X) == "no", 50.0, X["a"].to_numpy()), rows(), progress=False)
    found = asked.sufficient(refused(), **OPTIONS)
    assert found.n_substituted
    assert {"a", "b", "job"} <= set(found.best)
    (one,) = asked.rules(refused(), n_drawn=0, proof_budget=0, max_rules=1, **OPTIONS).distributions
    assert one.sdp == pytest.approx(found.sdp)


def test_what_the_model_was_asked_for_is_not_put_under_a_stress_later():
    stress = ts.Mean("a", tau=0.2)
    for result in (study().sufficient(refused(), **OPTIONS), study().rules(refused(), n_drawn=0, **OPTIONS)):
        with pytest.raises(InputError, match=r"Use study\.under\(stress\)\.sufficient\(row\)"):
            result.under(stress)
    assert study().under(stress).sufficient(refused(), **OPTIONS).n_substituted


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: study().sufficient(0, probability="both"), "probability must be 'auto', 'projected' or 'substituted'"),
        (lambda: study().rule_list(probability="substituted"), "A rule list is of the projected forest"),
        (lambda: ts.Study(rare, rows(), rare(rows())).sufficient(0, probability="substituted", explained="labels"),
         "no labels are known"),
        (lambda: ts.Study.from_predictions(rows(), y_pred=rare(rows())).sufficient(0, probability="substituted"),
         "model"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(ask, words):
    with pytest.raises(InputError, match=words):
        ask()


def _german():
    table = pd.concat([real_data.german("train"), real_data.german("test")], ignore_index=True)
    table = table.sample(frac=1, random_state=3).reset_index(drop=True)
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
    return GradientBoostingClassifier(random_state=0).fit(X[:400], y[:400]), X[400:700], X[700:], 0.95


def _made():
    X, y = make_classification(4000, 20, n_informative=8, weights=[0.92], flip_y=0.02, random_state=5)
    X = pd.DataFrame(X, columns=[f"x{j}" for j in range(20)])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[:1500], y[:1500])
    return model, X[1500:2000], X[2000:], 0.9


@pytest.mark.slow
@pytest.mark.parametrize("make", [_german, _made])
def test_the_promise_holds_for_both_classes_on_rows_that_nothing_was_searched_on(make):
    model, X, fresh, pi = make()
    asked, others = (ts.Study(model, part.reset_index(drop=True), progress=False) for part in (X, fresh))
    rarer = int(np.bincount(asked.predicted).argmin())
    n_explained = []
    for code in (rarer, 1 - rarer):
        rows = np.flatnonzero(asked.predicted == code)[:6]
        found = asked.sufficient(rows, pi=pi, probability="auto" if code == rarer else "substituted")
        kept = [_kept(one, asked, others) for one in found if one.n_substituted and one.all]
        assert np.mean(kept) >= pi
        n_explained.append(len(kept))
    assert min(n_explained) >= 3


def _kept(one, asked, others):
    """Share of other rows that are decided as the row once they have its values."""
    columns = tuple(asked.feature_names.index(name) for name in one.best)
    values = np.repeat(one._entries[None, list(columns)], others.n_rows, axis=0)
    put = others._table_rows.substituted(np.arange(others.n_rows), columns, values)
    return (others.predict(put).predicted == asked.predicted[one.row]).mean()
