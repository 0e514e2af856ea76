"""Rules of a study's rows: boxes where they are known, counts by brute force, proofs, and the sentence to read."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import tauscope as ts
from tauscope.errors import InputError


@cache
def people():
    random = np.random.default_rng(0)
    n = 1500
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, n),
            "job": random.choice(["baker", "clerk", "driver", "nurse"], n),
            "pay": random.normal(30, 8, n),
        }
    )
    return X, says(X)


def says(X):
    return np.where((X["age"] < 40) | X["job"].isin(["clerk", "nurse"]), "yes", "no")


def encoded(final):
    return make_pipeline(make_column_transformer((OneHotEncoder(), ["job"]), remainder="passthrough"), final)


@cache
def study():
    X, y = people()
    return ts.Study(encoded(RandomForestClassifier(25, random_state=0)).fit(X, y), X, y)


@cache
def rules_of(row, **options):
    return study().rules(row, **options)


def row_of(age, job):
    X, _ = people()
    return int(np.flatnonzero((X["age"].between(*age)) & (X["job"] == job))[0])


@pytest.mark.slow
def test_the_rule_of_the_young_is_their_age_and_it_is_proved() -> None:
    (rule,) = rules_of(row_of((20, 30), "driver"))
    assert rule.features == ("age",)
    low, high = rule.bounds["age"]
    assert low == -np.inf
    assert 38 <= high < 40
    assert rule.answer == "predicted yes"
    assert rule.proof.status == "proved"
    assert str(rule).startswith("If age ≤ 3")
    assert str(rule).endswith("never answers otherwise with these values, whatever the others within their ranges.")


def test_the_rule_of_two_features_is_their_box() -> None:
    (rule,) = rules_of(row_of((60, 70), "driver"))
    assert set(rule.features) == {"age", "job"}
    assert set(rule.bounds["job"]) == {"baker", "driver"}
    low, high = rule.bounds["age"]
    assert 38 < low < 41
    assert high == np.inf
    assert rule.proof.status == "proved"
    assert "job is driver or baker" in str(rule) or "job is baker or driver" in str(rule)


def test_counts_are_those_of_the_rows_inside() -> None:
    row = row_of((60, 70), "driver")
    (rule,) = rules_of(row)
    X, _ = people()
    low, high = rule.bounds["age"]
    inside = (X["age"] > low) & (X["age"] <= high) & X["job"].isin(rule.bounds["job"])
    agrees = study().predicted == study().predicted[row]
    assert rule.training.n_inside + rule.held_out.n_inside == inside.sum()
    assert rule.training.n_rows + rule.held_out.n_rows == 1500
    assert rule.held_out.coverage == pytest.approx(rule.held_out.n_inside / rule.held_out.n_rows)
    of_all = rule.training.precision * rule.training.n_inside + rule.held_out.precision * rule.held_out.n_inside
    assert of_all == pytest.approx((inside & agrees).sum())
    assert (rule.coverage, rule.precision) == (rule.held_out.coverage, rule.held_out.precision)
    assert np.isnan(rule.training.lower)
    assert rule.held_out.lower < rule.held_out.precision <= rule.held_out.upper
    assert rule.sdp_min >= 0.95
    assert rule.sdp >= rule.sdp_min
    assert 0 < rule.volume < 1


def test_the_frame_has_a_line_for_each_feature() -> None:
    frame = rules_of(row_of((60, 70), "driver")).frame
    assert frame["feature"].tolist() == ["age", "job"]
    assert frame["levels"][1] == ("driver", "baker") or frame["levels"][1] == ("baker", "driver")
    assert frame["held_out"].all()
    assert (frame["proof"] == "proved").all()
    assert not frame["missing"].any()
    assert frame["value"][1] == "driver"


def drawn_inside(study, rule, n=2000):
    """Draw rows of a rule: its features inside, at its ends too, and the others anywhere within their ranges."""
    random = np.random.default_rng(1)
    conditions = {condition.column.name: condition for condition in rule.conditions}
    drawn = {}
    for column in study._columns:
        name, condition = column.name, conditions.get(column.name)
        if column.levels:
            drawn[name] = random.choice(condition.levels if condition else column.levels, n)
            continue
        low, high = column.lower, column.upper
        if condition:
            low, high = max(low, np.nextafter(condition.lower, np.inf)), min(high, condition.upper)
        if column.integer:
            drawn[name] = random.integers(int(np.ceil(low)), int(np.floor(high)) + 1, n)
            continue
        at = random.random(n)
        drawn[name] = np.where(at < 0.2, low, np.where(at > 0.8, high, random.uniform(low, high, n)))
    return pd.DataFrame(drawn)


def proved_studies():
    X, y = people()
    noisy = np.where(np.random.default_rng(3).random(len(X)) < 0.1, "no", y)
    cancer, malignant = load_breast_cancer(return_X_y=True, as_frame=True)
    cancer = cancer[["mean radius", "worst area", "worst concave points", "worst texture"]]
    yield ts.Study(encoded(RandomForestClassifier(15, max_depth=6, random_state=0)).fit(X, noisy), X)
    yield ts.Study(encoded(LogisticRegression(max_iter=1000)).fit(X, noisy), X)
    yield ts.Study(RandomForestClassifier(15, max_depth=5, random_state=1).fit(cancer, malignant), cancer)
    yield ts.Study(HistGradientBoostingClassifier(max_iter=15, random_state=0).fit(cancer, malignant), cancer)


@pytest.mark.slow
def test_nothing_drawn_in_a_proved_rule_is_answered_otherwise() -> None:
    statuses = []
    for s in proved_studies():
        for row in range(0, 60, 5):
            for rule in s.rules(row, max_rules=2, n_drawn=0):
                statuses.append(rule.proof.status)
                said = s.predict(drawn_inside(s, rule)).predicted
                if rule.proof.status == "proved":
                    assert (said == s.predicted[row]).all()
                if rule.proof.status == "refuted":
                    other = pd.DataFrame([rule.proof.counterexample])
                    assert s.predict(other).predicted[0] != s.predicted[row]
                    for name, (low, high) in rule.bounds.items() if "job" not in rule.bounds else ():
                        assert low < other[name][0] <= high
    assert statuses.count("proved") >= 5
    assert statuses.count("refuted") >= 5


@pytest.mark.slow
def test_a_rule_that_others_overturn_is_refuted_by_a_row_of_the_model_s() -> None:
    """Where others are seldom what overturns the decision the probability is high, and still nothing is proved."""
    random = np.random.default_rng(0)
    X = pd.DataFrame({"a": random.normal(size=1500), "rare": (random.random(1500) < 0.01).astype(int)})
    model = RandomForestClassifier(15, random_state=0).fit(X, (X["a"] > 0) ^ (X["rare"] == 1))
    s = ts.Study(model, X.iloc[::-1].reset_index(drop=True))
    row = int(np.flatnonzero((s.X["a"] > 1) & (s.X["rare"] == 0))[0])
    rule = s.rules(row)[0]
    assert rule.features == ("a",)
    assert rule.proof.status == "refuted"
    other = pd.DataFrame([rule.proof.counterexample])
    assert model.predict(other)[0] != model.predict(s.X.iloc[[row]])[0]
    low, high = rule.bounds["a"]
    assert low < other["a"][0] <= high
    assert rule.proof.n_drawn == 10_000
    assert 20 < rule.proof.n_differ < 400
    assert f"taken from any row, {rule.proof.n_differ:,} are answered otherwise" in str(rule)


@pytest.mark.slow
def test_a_model_that_cannot_be_read_is_asked_about_rows_drawn() -> None:
    X, y = people()
    asked = ts.Study(says, X, y)
    row = row_of((20, 30), "driver")
    before = asked.n_model_rows
    rules = asked.rules(row, n_drawn=500)
    assert rules[0].proof.status == "none"
    assert "has no parameters that could be read" in rules[0].proof.reason
    assert (rules[0].proof.n_drawn, rules[0].proof.n_differ) == (500, 0)
    assert rules.n_model_rows == asked.n_model_rows - before == 500
    silent = asked.rules(row, n_drawn=0)
    assert silent.n_model_rows == 0
    assert str(silent[0]).endswith("could be read.")
    known = ts.Study.from_predictions(X, y_pred=y).rules(row)
    assert known[0].proof.reason == "there is no model, only predictions"
    assert known.n_model_rows == 0


@pytest.mark.slow
def test_rows_asked_for_a_proof_are_counted() -> None:
    X, y = people()
    asked = ts.Study(encoded(RandomForestClassifier(25, random_state=0)).fit(X, y), X, y)
    before = asked.n_model_rows
    rules = asked.rules(row_of((60, 70), "driver"), n_drawn=0)
    assert rules[0].proof.status == "proved"
    assert rules.n_model_rows == asked.n_model_rows - before == 94


def raw(kind):
    """Return rows with categories, strings, gaps, and a model that takes them as they are."""
    X, y = people()
    if kind == "histogram, categories":
        X = X.assign(job=X["job"].astype("category"))
        model = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=20, random_state=0)
    elif kind == "histogram, gaps":
        X = X.assign(job=X["job"].where(np.arange(len(X)) % 17 > 0).astype("category"))
        model = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=20, random_state=0)
    elif kind == "histogram, named":
        model = HistGradientBoostingClassifier(categorical_features=["job"], max_iter=20, random_state=0)
    elif kind == "search":
        model = GridSearchCV(
            encoded(DecisionTreeClassifier(random_state=0)), {"decisiontreeclassifier__max_depth": [4]}, cv=2
        )
    else:
        X = X.assign(young=np.where(X["age"] < 40, "under 40", "40 or more"))[["job", "young"]]
        encoder = {"one-hot": OneHotEncoder(), "ordinal": OrdinalEncoder()}[kind]
        model = make_pipeline(encoder, DecisionTreeClassifier(random_state=0))
    return X, y, model.fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["histogram, categories", "histogram, gaps", "histogram, named", "search", "one-hot", "ordinal"]
)
def test_levels_given_to_the_model_as_they_are_are_proved(kind) -> None:
    X, y, model = raw(kind)
    asked = ts.Study(model, X, y)
    rules = [asked.rules(row_of(*one), n_drawn=300)[0] for one in (((20, 30), "driver"), ((60, 70), "clerk"))]
    assert {rule.proof.status for rule in rules} <= {"proved", "refuted"}
    assert "proved" in {rule.proof.status for rule in rules}
    for rule in rules:
        inside = holding(rule, X)
        answers = model.predict(X[inside])
        if rule.proof.status == "proved":
            assert inside.any()
            assert (answers == rule.answer.removeprefix("predicted ")).all()
        else:
            row = pd.DataFrame([rule.proof.counterexample]).astype({one: X[one].dtype for one in X})
            assert model.predict(row)[0] != rule.answer.removeprefix("predicted ")


def holding(rule, X):
    inside = np.ones(len(X), dtype=bool)
    for condition in rule.conditions:
        own = X[condition.column.name]
        if condition.column.kind == "levels":
            met = own.isin(condition.levels) | (own.isna() & condition.missing)
        else:
            met = (own > condition.lower) & (own <= condition.upper)
        inside &= met.to_numpy()
    return inside


def test_levels_read_in_no_known_way_are_drawn_and_the_reason_is_said() -> None:
    X, y = people()
    codes = FunctionTransformer(lambda rows: rows.assign(job=rows["job"].isin(["clerk", "nurse"])))
    rule = ts.Study(make_pipeline(codes, DecisionTreeClassifier()).fit(X, y), X, y).rules(row_of((20, 30), "driver"))[0]
    assert rule.proof.status == "none"
    assert "takes the levels of 'job' in a way that is not read" in rule.proof.reason
    assert (rule.proof.n_drawn, rule.proof.n_differ) == (10_000, 0)


def test_a_budget_of_none_leaves_it_open() -> None:
    rule = rules_of(row_of((60, 70), "driver"), proof_budget=0)[0]
    assert rule.proof.status == "open"
    assert "not settled within the budget" in str(rule)


@pytest.mark.slow
def test_linear_models_and_regressions_are_proved_too() -> None:
    X, _ = people()
    X = X.drop(columns="job")
    s = ts.Study(LogisticRegression(max_iter=500).fit(X, X["age"] < 40), X)
    rule = s.rules(row_of((19, 21), "clerk"))[0]
    assert rule.features == ("age",)
    assert rule.proof.status in ("proved", "refuted")
    random = np.random.default_rng(0)
    Z = random.uniform(size=(800, 3))
    model = GradientBoostingRegressor(max_depth=2, random_state=0).fit(Z, 10 * (Z[:, 0] > 0.5))
    value = ts.Study(model, Z).rules(5, t=1.0)[0]
    assert value.features == ("x0",)
    assert value.proof.status == "proved"
    assert value.answer.startswith("predicted between ")


@pytest.mark.slow
def test_a_forest_s_own_rows_are_not_held_out() -> None:
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    rules = ts.Study(RandomForestClassifier(12, random_state=0).fit(X, y), X, y).rules(0, max_rules=1)
    assert len(rules) == 1
    assert len(rules.explanation.minimal) > 1
    assert rules[0].held_out is None
    assert "rows the forest was fitted on" in str(rules[0])
    left = len(rules.explanation.minimal) - 1
    assert f"{left} more minimal {'set has a rule' if left == 1 else 'sets have rules'}: max_rules." in repr(rules)
    assert not rules.frame["held_out"].any()


@pytest.mark.slow
def test_a_rule_that_rests_on_few_rows_says_so() -> None:
    random = np.random.default_rng(0)
    X = random.uniform(size=(600, 5))
    model = GradientBoostingRegressor(random_state=0).fit(X, 10 * np.sin(3 * X[:, 0] * X[:, 1]) + 20 * X[:, 2] ** 2)
    asked = ts.Study(model, X)
    found = [rule for row in range(9) for rule in asked.rules(row, pi=0.8, n_drawn=0, proof_budget=0)]
    few = [rule for rule in found if rule.training.n_inside < 20]
    assert few
    for rule in found:
        assert ("do not count on its probability" in str(rule)) == (rule.training.n_inside < 20)


@pytest.mark.slow
def test_missing_values_are_inside_or_not() -> None:
    X, _ = people()
    X = X.drop(columns="job").astype(float)
    X.loc[X.index % 4 == 0, "age"] = np.nan
    y = (X["age"].isna() | (X["age"] > 60)).astype(int)
    model = RandomForestClassifier(20, random_state=0).fit(X, y)
    s = ts.Study(model, X.iloc[::-1].reset_index(drop=True))
    gap, old = (int(np.flatnonzero(rows)[0]) for rows in (s.X["age"].isna(), s.X["age"] > 70))
    for row, words in ((gap, "missing"), (old, "age ≥")):
        rule = s.rules(row)[0]
        assert rule.features == ("age",)
        assert words in str(rule)
        assert rule.proof.status == "proved"
    assert rule.held_out.precision == 1


@pytest.mark.slow
def test_weights_change_what_holds() -> None:
    row = row_of((60, 70), "driver")
    plain = rules_of(row)
    same = study().under(ts.Mean("age", tau=0)).rules(row)
    assert same[0].bounds == plain[0].bounds
    older = study().under(ts.Mean("age", target=60)).rules(row)[0]
    assert older.held_out.coverage > plain[0].held_out.coverage
    assert "Rows count by their weights" in study().under(ts.Mean("age", target=60)).rules(row).notes[0]


@pytest.mark.slow
def test_one_seed_gives_one_rule() -> None:
    X, y = people()
    row = row_of((60, 70), "driver")
    again = ts.Study(encoded(RandomForestClassifier(25, random_state=0)).fit(X, y), X, y).rules(row)
    assert repr(again) == repr(rules_of(row))
    loaded = pickle.loads(pickle.dumps(again))
    assert repr(loaded) == repr(again)


@pytest.mark.parametrize("options", [{"max_rules": 0}, {"proof_budget": -1}, {"n_drawn": -5}])
def test_limits_that_do_not_hold(options) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))} must be at least"):
        study().rules(3, **options)


def test_charts_name_the_conditions_and_mark_the_row() -> None:
    rules = rules_of(row_of((60, 70), "driver"))
    drawn = rules.chart().to_dict()
    conditions = {
        record["condition"] for data in drawn["datasets"].values() for record in data if "condition" in record
    }
    assert len(conditions) == 2
    ends = [r for data in drawn["datasets"].values() for r in data if "first" in r]
    assert all(0 <= r["first"] <= r["at"] <= r["last"] <= 1 for r in ends)
    strip = rules.explanation.chart().to_dict()
    points = [r for data in strip["datasets"].values() for r in data if "sdp" in r]
    assert {r["features"] for r in points if r["minimal"]} == {"age + job"}


@pytest.mark.slow
@pytest.mark.parametrize("labels", [np.array([0, 1]), np.array(["no", "yes"]), np.array([False, True])])
def test_a_model_that_names_no_classes_has_rules_too(labels):
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    y = labels[(X[:, 0] + 0.3 * random.normal(size=200) > 0).astype(int)]
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    methods = {name: staticmethod(getattr(forest, name)) for name in ("predict", "predict_proba")}
    study = ts.Study(type("Wrapper", (), methods)(), X, y, progress=False)
    for row in range(4):
        named = study.rules(row, n_estimators=5, random_state=0, progress=False)
        assert {rule.proof.status for rule in named.rules} <= {"none", "open", "refuted", "proved"}


@cache
def ensemble(task):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(200, 3)).round(2), columns=list("abc"))
    value = X["a"] + (X["b"] > 0.3) * (X["c"] > -0.2)
    if task == "classes":
        model = GradientBoostingClassifier(n_estimators=8, random_state=0).fit(X, value > 0.4)
    else:
        model = GradientBoostingRegressor(n_estimators=5, max_depth=2, random_state=0).fit(X, value)
    return ts.Study(model, X, progress=False), model, X


def corners(model, X, bounds):
    """Every combination of values just beside the thresholds of the trees, in a box and the range of the rows."""
    trees = [tree.tree_ for tree in model.estimators_.ravel()]
    axes = []
    for j, name in enumerate(X.columns):
        low, high = max(bounds[name][0], X[name].min() - 1e-9), min(bounds[name][1], X[name].max())
        cuts = np.concatenate([tree.threshold[tree.feature == j] for tree in trees])
        values = np.concatenate([[high, np.nextafter(low, np.inf)], cuts, cuts + 1e-6])
        axes.append(np.unique(values[(values > low) & (values <= high)]))
    return pd.DataFrame(np.array(np.meshgrid(*axes)).reshape(len(axes), -1).T, columns=X.columns)


@pytest.mark.parametrize("task", ["classes", "values"])
@pytest.mark.parametrize("row", [0, 7, 31])
def test_the_largest_proved_box_keeps_the_decision_and_no_side_of_it_can_be_moved(task, row):
    study, model, X = ensemble(task)
    rule = study.rules(row, n_estimators=5, n_drawn=0, proof_budget=100_000, max_rules=1).proved()
    whole = {name: (-np.inf, np.inf) for name in X.columns}
    bounds = whole | dict(rule.bounds)
    low, high = rule.decided

    def keeps(box):
        decided = model.predict(corners(model, X, box)).astype(float)
        return ((decided >= low) & (decided <= high)).all()

    assert keeps(bounds)
    assert rule.proof.status == "proved"
    for name in rule.features:
        own = X[name].iloc[row]
        lower, upper = bounds[name]
        assert lower < own <= upper
        below, above = X[name][X[name] <= lower], X[name][X[name] > upper]
        if np.isfinite(lower):
            assert not keeps(bounds | {name: (below.max() - 1e-6 if len(below) else -np.inf, upper)})
        if np.isfinite(upper):
            assert not keeps(bounds | {name: (lower, above.min() if len(above) else np.inf)})


def test_what_is_not_read_has_no_proved_box() -> None:
    X, _ = people()
    found = ts.Study(says, X, progress=False).rules(0, n_drawn=0, n_estimators=5)
    with pytest.raises(InputError, match="No rule is proved of says: says has no parameters"):
        found.proved()
