"""Proofs of whole models in a person's columns, hunted for counterexamples; levels, pipelines and missing values."""

import numpy as np
import pandas as pd
import pytest
from lightgbm import LGBMClassifier
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from xgboost import XGBClassifier, XGBRegressor

from tauscope.rules.proofs.boxes import RowBox
from tauscope.rules.proofs.model_proof import Answer, prove_model
from tauscope.rules.proofs.proof import Block
from tauscope.trees.ties import MOST_ROWS

LEVELS = 4
N = 500


def draw_data(seed=0):
    """Return rows of three numbers and, last, the code of a level, with labels that follow both."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(N, 3)), rng.integers(0, LEVELS, N)])
    return X, ((X[:, 0] + np.isin(X[:, 3], [1, 3]) - X[:, 1] * (X[:, 3] == 2)) > 0.4).astype(int)


def as_frame(rows):
    return pd.DataFrame(
        {"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "level": [f"l{int(v)}" for v in rows[:, 3]]}
    )


def encoded(model, encoder):
    steps = ColumnTransformer([("level", encoder, ["level"]), ("numbers", StandardScaler(), ["a", "b", "c"])])
    return make_pipeline(steps, model)


CODED = {
    "scaled forest": make_pipeline(StandardScaler(), RandomForestClassifier(9, max_depth=6, random_state=0)),
    "scaled logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "levels of histograms": HistGradientBoostingClassifier(max_iter=12, categorical_features=[3], random_state=0),
    "levels of LightGBM": LGBMClassifier(n_estimators=12, num_leaves=9, verbose=-1, n_jobs=1),
    "levels of XGBoost": XGBClassifier(
        n_estimators=12, max_depth=4, feature_types=["q", "q", "q", "c"], enable_categorical=True, n_jobs=1
    ),
}
FRAMED = {
    "one-hot forest": encoded(
        RandomForestClassifier(9, max_depth=6, random_state=0), OneHotEncoder(sparse_output=False)
    ),
    "one-hot logistic": encoded(LogisticRegression(), OneHotEncoder(drop="first", sparse_output=False)),
    "ordinal forest": encoded(RandomForestClassifier(9, max_depth=6, random_state=0), OrdinalEncoder()),
}


def draw_box(rng, row):
    width = rng.choice([0.1, 0.4, 1.5]) * rng.exponential(size=(2, 4))
    lower, upper = row - width[0], row + width[1]
    lower[:3][rng.random(3) < 0.3], upper[:3][rng.random(3) < 0.3] = -np.inf, np.inf
    levels = np.unique([row[3], *rng.integers(0, LEVELS, rng.integers(0, 3))])
    lower[3], upper[3] = levels.min(), levels.max()
    return RowBox(lower, upper, np.zeros(4, bool), (Block(np.array([3]), levels[:, None]),))


def draw_rows(rng, box, n=300):
    rows = rng.uniform(np.maximum(box.lower, -5), np.minimum(box.upper, 5), (n, 4))
    ends = rng.random((n, 4))
    rows = np.where(ends < 0.2, np.maximum(box.lower, -5), np.where(ends > 0.8, np.minimum(box.upper, 5), rows))
    rows[:, 3] = rng.choice(box.blocks[0].values[:, 0], n)
    return rows


def hunt(model, ask, X, rows_of=None, n=50):
    """Prove boxes around rows, and look for rows that say otherwise; count the statuses."""
    rng, statuses = np.random.default_rng(1), []
    for row in X[:n]:
        box = draw_box(rng, row)
        label = int(ask(row[None])[0])
        proof = prove_model(model, box, Answer(label), ask, X[:50], rows_of=rows_of)
        statuses.append(proof.status)
        if proof.status == "proved":
            assert (ask(draw_rows(rng, box)) == label).all()
            assert proof.row is None
        if proof.status == "refuted":
            assert ask(proof.row[None])[0] != label
            assert ((box.lower <= proof.row) & (proof.row <= box.upper)).all()
            assert proof.row[3] in box.blocks[0].values
            # the probes, of trees on thresholds besides, and the counterexample
            assert 51 <= proof.n_model_rows <= 51 + MOST_ROWS
    return statuses


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_models_of_codes(name):
    X, y = draw_data()
    model = CODED[name].fit(X, y, **({"categorical_feature": [3]} if name == "levels of LightGBM" else {}))
    statuses = hunt(model, model.predict, X)
    assert statuses.count("proved") >= 5
    assert statuses.count("refuted") >= 5
    assert set(statuses) <= {"proved", "refuted"}


@pytest.mark.slow
@pytest.mark.parametrize("name", FRAMED)
def test_models_of_frames_behind_encoders(name):
    X, y = draw_data()
    model = FRAMED[name].fit(as_frame(X), y)
    statuses = hunt(model, lambda rows: model.predict(as_frame(rows)), X, rows_of=as_frame)
    assert statuses.count("proved") >= 5
    assert statuses.count("refuted") >= 5
    assert set(statuses) <= {"proved", "refuted"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        LGBMClassifier(n_estimators=12, num_leaves=9, verbose=-1, n_jobs=1),
        XGBClassifier(n_estimators=12, max_depth=4, enable_categorical=True, n_jobs=1),
    ],
    ids=["LightGBM", "XGBoost"],
)
def test_models_that_read_levels_of_frames_themselves(model):
    X, y = draw_data()
    levels = pd.CategoricalDtype(["l2", "l0", "never", "l3", "l1"])
    rows_of = lambda rows: as_frame(rows).astype({"level": levels})  # noqa: E731
    model.fit(rows_of(X), y)
    statuses = hunt(model, lambda rows: model.predict(rows_of(rows)), X, rows_of=rows_of, n=30)
    assert statuses.count("proved") >= 3
    assert statuses.count("refuted") >= 3
    assert set(statuses) <= {"proved", "refuted"}


def test_one_hot_columns_of_the_person_s_own_take_one_level_at_a_time():
    X, _ = draw_data()
    wide = np.column_stack([X[:, :3], np.eye(LEVELS)[X[:, 3].astype(int)]])
    model = RandomForestClassifier(9, random_state=0).fit(wide, np.isin(X[:, 3], [1, 3]))
    lower, upper = np.full(7, -np.inf), np.full(7, np.inf)
    lower[3:], upper[3:] = 0, 1
    columns, tuples = np.arange(3, 7), np.eye(LEVELS)
    one = RowBox(lower, upper, np.zeros(7, bool), (Block(columns, tuples[[1, 3]]),))
    free = RowBox(lower, upper, np.zeros(7, bool))
    assert prove_model(model, one, Answer(1), model.predict, wide[:40]).status == "proved"
    refuted = prove_model(model, free, Answer(1), model.predict, wide[:40])
    assert refuted.status == "refuted"
    assert not model.predict(refuted.row[None])[0]


@pytest.mark.parametrize("missing", [False, True])
def test_a_missing_value_is_what_the_imputer_fills_in(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    X[:, 0] += 2
    y = (X[:, 0] > 2).astype(int)
    gaps = X.copy()
    gaps[rng.random(300) < 0.2, 0] = np.nan
    model = make_pipeline(SimpleImputer(strategy="constant", fill_value=9.0), RandomForestClassifier(5, random_state=0))
    model.fit(np.where(np.isnan(gaps), 9.0, gaps), y)
    box = RowBox(np.array([-1.0, -np.inf]), np.array([0.5, np.inf]), np.array([missing, False]))
    proof = prove_model(model, box, Answer(0), model.predict, gaps[:50])
    assert proof.status == ("refuted" if missing else "proved")
    if missing:
        assert np.isnan(proof.row[0])


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.slow
def test_levels_may_be_missing_too(missing):
    X, _ = draw_data()
    frame = as_frame(X)
    frame.loc[::5, "level"] = None
    y = (frame["level"].isin(["l1", "l3"])).astype(int)  # a missing level is answered 0
    forest = RandomForestClassifier(9, max_features=None, random_state=0)
    model = encoded(forest, OrdinalEncoder()).fit(frame, y)

    def rows_of(rows):
        levels = [None if np.isnan(v) else f"l{int(v)}" for v in rows[:, 3]]
        return as_frame(np.where(np.isnan(rows), 0, rows)).assign(level=pd.Series(levels, dtype=frame["level"].dtype))

    can_miss = np.array([False, False, False, missing])
    ask = lambda rows: model.predict(rows_of(rows))  # noqa: E731
    box = RowBox(np.full(4, -3.0), np.full(4, 3.0), can_miss, (Block(np.array([3]), np.array([[1.0], [3.0]])),))
    proof = prove_model(model, box, Answer(1), ask, X[:50], rows_of=rows_of)
    assert proof.status == ("refuted" if missing else "proved")
    if missing:
        assert np.isnan(proof.row[3])
    gone = RowBox(np.full(4, -3.0), np.full(4, 3.0), np.zeros(4, bool), (Block(np.array([3]), np.array([[np.nan]])),))
    assert prove_model(model, gone, Answer(0), ask, X[:50], rows_of=rows_of).status == "proved"


def test_missing_values_of_many_filled_columns_are_not_gone_through():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 7))
    model = make_pipeline(SimpleImputer(), LogisticRegression()).fit(X, X[:, 0] > 0)
    box = RowBox(np.full(7, -1.0), np.full(7, 1.0), np.ones(7, bool))
    proof = prove_model(model, box, Answer(1), model.predict, X[:20])
    assert proof.status == "none"
    assert "7 columns are filled in" in proof.reason


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        RandomForestRegressor(8, max_depth=5, random_state=0),
        XGBRegressor(n_estimators=8, max_depth=4, n_jobs=1),
        LinearRegression(),
    ],
)
def test_values_stay_in_their_interval(model):
    X, _ = draw_data()
    model.fit(X, X[:, 0] * 2 - X[:, 1])
    rng, statuses = np.random.default_rng(0), []
    for row in X[:40]:
        box, value = draw_box(rng, row), float(model.predict(row[None])[0])
        answer = Answer(low=value - 1, high=value + 1)
        proof = prove_model(model, box, answer, model.predict, X[:50])
        statuses.append(proof.status)
        drawn = model.predict(draw_rows(rng, box))
        if proof.status == "proved":
            assert abs(drawn - value).max() <= 1
        else:
            assert abs(model.predict(proof.row[None])[0] - value) > 1
    assert {"proved", "refuted"} == set(statuses)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (GaussianNB(), "no tree ensemble known here"),
        (make_pipeline(PCA(2), RandomForestClassifier(3)), "mixes columns"),
        (PoissonRegressor(), "not those of the parameters"),
        (HistGradientBoostingClassifier(max_iter=5, categorical_features=[3]), "splits on levels"),
    ],
)
def test_what_cannot_be_read_is_said(model, words):
    X, y = draw_data()
    model.fit(X, y)
    box = RowBox(np.full(4, -1.0), np.full(4, 1.0), np.zeros(4, bool))
    proof = prove_model(model, box, Answer(1), model.predict, X[:50])
    assert (proof.status, proof.row) == ("none", None)
    # asked where its parameters were read, of trees on thresholds besides
    assert proof.n_model_rows in (0, *range(50, 51 + MOST_ROWS))
    assert words in proof.reason


@pytest.mark.slow
def test_a_budget_ends_the_search():
    X, y = draw_data()
    model = RandomForestClassifier(60, random_state=0).fit(X, y)
    rng = np.random.default_rng(2)
    boxes = [draw_box(rng, row) for row in X[:30]]
    statuses = [
        prove_model(model, box, Answer(int(model.predict(row[None])[0])), model.predict, X[:20], budget=1).status
        for box, row in zip(boxes, X, strict=False)
    ]
    assert "open" in statuses
