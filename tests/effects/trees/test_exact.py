from dataclasses import replace

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    RandomTreesEmbedding,
)
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

from effects.models import brute_ice, data
from tauscope.effects import (
    BatchOptions,
    Interval,
    category_grid,
    custom_grid,
    effect_bounds,
    exact_dependence,
    exact_dependences,
    numeric_grid,
    partial_dependence,
    threshold_grid,
)
from tauscope.effects.trees import exact, traversal
from tauscope.errors import InputError

X = data(700, 5)
SCORE = np.sin(2 * X[:, 0]) + X[:, 0] * X[:, 1] + (X[:, 2] > 0.3) + 0.1 * X[:, 3]
BINARY = SCORE > 0.4
THREE = np.digitize(SCORE, [-0.2, 0.9])
WEIGHTS = np.random.default_rng(3).exponential(size=len(X))
COUNTS = np.round(np.exp(np.clip(SCORE, -2, 2)))
SMALL = {"n_estimators": 7, "random_state": 0}
HIST = {"max_iter": 7, "random_state": 0, "min_samples_leaf": 5}

MODELS = [
    (DecisionTreeRegressor(random_state=0), SCORE, "predict"),
    (DecisionTreeRegressor(max_depth=1), SCORE, "predict"),
    (ExtraTreeRegressor(random_state=0), SCORE, "predict"),
    (DecisionTreeClassifier(max_depth=5), THREE, "predict_proba"),
    (DecisionTreeClassifier(class_weight="balanced", max_depth=3), BINARY, "predict_proba"),
    (RandomForestRegressor(**SMALL), SCORE, "predict"),
    (RandomForestClassifier(**SMALL), BINARY, "predict_proba"),
    (RandomForestClassifier(max_depth=4, **SMALL), THREE, "predict_proba"),
    (ExtraTreesRegressor(max_depth=6, **SMALL), SCORE, "predict"),
    (ExtraTreesClassifier(**SMALL), BINARY, "predict_proba"),
    (GradientBoostingRegressor(**SMALL), SCORE, "predict"),
    (GradientBoostingRegressor(loss="huber", init="zero", **SMALL), SCORE, "predict"),
    (GradientBoostingClassifier(**SMALL), BINARY, "decision_function"),
    (GradientBoostingClassifier(**SMALL), BINARY, "predict_proba"),
    (GradientBoostingClassifier(**SMALL), THREE, "decision_function"),
    (GradientBoostingClassifier(**SMALL), THREE, "predict_proba"),
    (HistGradientBoostingRegressor(**HIST), SCORE, "predict"),
    (HistGradientBoostingRegressor(loss="poisson", **HIST), COUNTS, "predict"),
    (HistGradientBoostingClassifier(**HIST), BINARY, "decision_function"),
    (HistGradientBoostingClassifier(**HIST), BINARY, "predict_proba"),
    (HistGradientBoostingClassifier(**HIST), THREE, "decision_function"),
    (HistGradientBoostingClassifier(**HIST), THREE, "predict_proba"),
]
NAMES = [f"{type(model).__name__}-{response}-{len(np.unique(y))}" for model, y, response in MODELS]


@pytest.fixture(scope="module")
def fitted():
    return [(model.fit(X, y), response) for model, y, response in MODELS]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(MODELS)), ids=NAMES)
def test_rows_followed_equal_rows_asked(fitted, number, monkeypatch):
    model, response = fitted[number]
    monkeypatch.setattr(traversal, "CHUNK", 256)  # several chunks, the last not whole
    monkeypatch.setattr(traversal, "BLOCK", 40)
    predict = getattr(model, response)
    for columns in ((0,), (2,), (0, 1), (4, 2)):
        grids = tuple(numeric_grid(X[:, column], 12 if len(columns) == 1 else 5) for column in columns)
        found = exact_dependence(model, predict, X, columns, grids, response=response, sample_weight=WEIGHTS)
        asked = partial_dependence(predict, X, columns, grids, sample_weight=WEIGHTS)
        assert found.n_trees > 0
        assert found.unread == ""
        assert found.complete
        assert 0 < found.n_model_rows < 300
        for name in ("ice", "effect", "lower", "upper", "mass", "n"):
            assert np.allclose(getattr(found, name), getattr(asked, name), rtol=0, atol=1e-10), name


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(MODELS)), ids=NAMES)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_sums_of_leaves_equal_rows_asked(fitted, number, weights, monkeypatch):
    model, response = fitted[number]
    monkeypatch.setattr(traversal, "CHUNK", 256)
    monkeypatch.setattr(traversal, "BLOCK", 40)
    predict = getattr(model, response)
    grids = [numeric_grid(X[:, column], 9) for column in range(5)]
    found = exact_dependences(model, predict, X, range(5), grids, response=response, sample_weight=weights)
    for column, one in enumerate(found):
        expected = np.average(brute_ice(predict, X, column, grids[column].values), axis=1, weights=weights)
        assert np.allclose(one.effect, expected, rtol=0, atol=1e-10)
        assert one.columns == (column,)
        assert one.ice is None
        assert one.complete
        assert one.n_trees > 0


@pytest.mark.slow
def test_some_features_and_points_outside(fitted):
    model, response = fitted[5]
    grids = [custom_grid([-99, -1, 0, 0.5, 99], X[:, 3]), custom_grid([0.1], X[:, 1])]
    found = exact_dependences(model, model.predict, X, (3, 1), grids, response=response)
    for one in found:
        expected = brute_ice(model.predict, X, one.columns[0], one.grid.values).mean(axis=1)
        assert np.allclose(one.effect, expected, atol=1e-10)
        assert np.isnan(one.lower).all()
        assert "no interval" in one.notes[-1]
    assert "outside" in found[0].notes[0]


@pytest.mark.slow
def test_chosen_responses():
    for model, response, outputs in (
        (RandomForestClassifier(**SMALL), "predict_proba", (2, 0)),
        (GradientBoostingClassifier(**SMALL), "decision_function", (2, 0)),
        (HistGradientBoostingClassifier(**HIST), "predict_proba", (1,)),
    ):
        model.fit(X, THREE)
        predict = lambda rows, m=model, r=response, o=outputs: getattr(m, r)(rows)[:, list(o)]  # noqa: E731
        grid = numeric_grid(X[:, 0], 8)
        options = {"response": response, "outputs": outputs}
        expected = brute_ice(predict, X, 0, grid.values)
        assert np.allclose(exact_dependence(model, predict, X, (0,), (grid,), **options).ice, expected, atol=1e-10)
        (one,) = exact_dependences(model, predict, X, (0,), (grid,), **options)
        assert one.complete
        assert one.n_trees > 0
        assert np.allclose(one.effect, expected.mean(axis=1), atol=1e-10)


def assert_pair_is_exact(model, rows, columns, grids):
    """Compare surfaces followed row by row with those asked about, on every second point of each grid."""
    points = tuple(replace(g, values=g.values[-1::-2][::-1], outside=g.outside[-1::-2]) for g in grids)
    pair = tuple(points[column] for column in columns)
    found = exact_dependence(model, model.predict, rows, columns, pair, response="predict")
    assert found.n_trees > 0
    assert np.allclose(found.ice, partial_dependence(model.predict, rows, columns, pair).ice, rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("model", [RandomForestRegressor(**SMALL), HistGradientBoostingRegressor(**HIST)])
def test_missing_values(model):
    holed = X.copy()
    random = np.random.default_rng(0)
    holed[random.random(X.shape) < 0.1] = np.nan
    model.fit(holed, SCORE + np.isnan(holed[:, 0]))
    grids = [numeric_grid(holed[:, column], 10) for column in range(5)]
    assert all(grid.missing for grid in grids)
    found = exact_dependences(model, model.predict, holed, range(5), grids, response="predict", sample_weight=WEIGHTS)
    for column, one in enumerate(found):
        expected = brute_ice(model.predict, holed, column, grids[column].values)
        assert one.complete
        assert one.n_trees > 0
        assert np.allclose(one.effect, np.average(expected, axis=1, weights=WEIGHTS), atol=1e-10)
        rows = exact_dependence(model, model.predict, holed, (column,), (grids[column],), response="predict")
        assert np.allclose(rows.ice, expected, atol=1e-10)
        assert_pair_is_exact(model, holed, (column, (column + 1) % 5), grids)
    unmissing = exact_dependences(
        model, model.predict, holed, (1,), (numeric_grid(holed[:, 1], 10, missing=False),), response="predict"
    )
    expected = brute_ice(model.predict, holed, 1, unmissing[0].grid.values).mean(axis=1)
    assert np.allclose(unmissing[0].effect, expected, atol=1e-10)


@pytest.mark.slow
def test_levels():
    random = np.random.default_rng(0)
    mixed = X.copy()
    mixed[:, 1] = random.integers(0, 12, len(X)) * 10
    mixed[:, 3] = random.integers(0, 3, len(X))
    mixed[::9, 1] = np.nan
    y = SCORE + np.isin(mixed[:, 1], [20, 70, 90]) * 2 - (mixed[:, 3] == 1)
    model = HistGradientBoostingRegressor(categorical_features=[1, 3], **HIST).fit(mixed, y)
    # a level the model never saw among the rows, and another on the grid
    mixed[5, 1] = 555
    grids = [
        numeric_grid(mixed[:, 0], 8),
        custom_grid([*range(0, 120, 10), 777, np.nan], mixed[:, 1], categorical=True),
        numeric_grid(mixed[:, 2], 8),
        category_grid(mixed[:, 3]),
        numeric_grid(mixed[:, 4], 8),
    ]
    assert any(stage.nodes["is_categorical"].any() for (stage,) in model._predictors)
    found = exact_dependences(model, model.predict, mixed, range(5), grids, response="predict", sample_weight=WEIGHTS)
    for column, one in enumerate(found):
        expected = brute_ice(model.predict, mixed, column, grids[column].values)
        assert one.complete
        assert one.n_trees > 0
        assert np.allclose(one.effect, np.average(expected, axis=1, weights=WEIGHTS), atol=1e-10)
        rows = exact_dependence(model, model.predict, mixed, (column,), (grids[column],), response="predict")
        assert np.allclose(rows.ice, expected, atol=1e-10)
        for other in set(range(5)) - {column}:
            assert_pair_is_exact(model, mixed, (column, other), grids)


def test_every_threshold():
    for model in (HistGradientBoostingRegressor(**HIST), RandomForestRegressor(n_estimators=3, random_state=0)):
        model.fit(X, SCORE)
        grid = threshold_grid(model, 0, X[:, 0])
        (one,) = exact_dependences(model, model.predict, X, (0,), (grid,), response="predict")
        # anywhere else the curve has the value of the first point not below
        between = np.random.default_rng(0).uniform(-3, 3, 40)
        cell = np.minimum(np.searchsorted(grid.values, between.astype(np.float32)), len(grid) - 1)
        expected = brute_ice(model.predict, X, 0, between).mean(axis=1)
        assert np.allclose(one.effect[:, cell], expected, atol=1e-10)
    holed = np.append(X[:, 0], np.nan)
    assert threshold_grid(model, 0, holed).missing


@pytest.mark.slow
def test_single_precision_is_the_models_own():
    fine = np.repeat(X[:60], 5, axis=0) + np.arange(300)[:, None] * 1e-9
    model = RandomForestRegressor(**SMALL).fit(fine, SCORE[np.arange(300) // 5])
    grid = custom_grid(fine[:40, 0] + 3e-9, fine[:, 0])
    found = exact_dependence(model, model.predict, fine, (0,), (grid,), response="predict")
    assert np.allclose(found.ice, brute_ice(model.predict, fine, 0, grid.values), atol=1e-10)
    model = RandomForestRegressor(max_depth=6, **SMALL).fit(X, SCORE)
    thresholds = np.concatenate([tree.tree_.threshold[tree.tree_.feature == 0] for tree in model.estimators_])
    near = np.concatenate([np.nextafter(thresholds.astype(np.float32), np.float32(d)) for d in (-9, 9)])
    grid = custom_grid(np.concatenate([near, thresholds]), X[:, 0])
    found = exact_dependence(model, model.predict, X, (0,), (grid,), response="predict")
    assert np.allclose(found.ice, brute_ice(model.predict, X, 0, grid.values), atol=1e-10)


def test_memory_intervals_and_stopping(monkeypatch):
    model = HistGradientBoostingRegressor(**HIST).fit(X, SCORE)
    grid = numeric_grid(X[:, 0], 10)
    options = {"response": "predict", "sample_weight": WEIGHTS}
    whole = exact_dependence(model, model.predict, X, (0,), (grid,), **options)
    monkeypatch.setattr(exact, "CHUNK", 100)
    monkeypatch.setattr(exact, "CURVE_BYTES", 1)
    parts = exact_dependence(model, model.predict, X, (0,), (grid,), ice_bytes=0, **options)
    assert parts.ice is None
    assert np.allclose(parts.effect, whole.effect, atol=1e-12)
    assert np.allclose(parts.upper, whole.upper, atol=1e-12)
    drawn = exact_dependence(
        model, model.predict, X, (0,), (grid,), interval=Interval("bootstrap", replicates=20, random_state=1), **options
    )
    assert drawn.seed == 1
    stopped = exact_dependence(
        model,
        model.predict,
        X,
        (0,),
        (grid,),
        batches=BatchOptions(progress=lambda done, total: done >= 0.5 * total),
        **options,
    )
    assert (stopped.status, stopped.n_done, stopped.n_total) == ("stopped", 400, 700)
    assert not stopped.complete
    assert np.array_equal(stopped.ice, whole.ice[:, stopped.ice_rows])


def test_bounds_stand_on_traversal_as_on_asking():
    model = HistGradientBoostingClassifier(**HIST).fit(X, BINARY)
    predict = lambda rows: model.predict_proba(rows)[:, 1]  # noqa: E731
    grid = numeric_grid(X[:, 0], 10)
    found = exact_dependence(model, predict, X, (0,), (grid,), response="predict_proba", outputs=(1,))
    asked = partial_dependence(predict, X, (0,), (grid,))
    for name in ("certified", "paper", "oscillation"):
        one, two = (getattr(effect_bounds(e, 0.1, output_range=(0, 1)), name) for e in (found, asked))
        assert np.allclose(one.lower, two.lower, atol=1e-10)
        assert np.allclose(one.upper, two.upper, atol=1e-10)


class Liar(RandomForestRegressor):
    """Answers what its trees do not."""

    def predict(self, X):
        return super().predict(X) + 1e-6 * X[:, 0]


@pytest.mark.parametrize(
    ("model", "y", "response", "reason"),
    [
        (LinearRegression(), SCORE, "predict", "LinearRegression is no tree ensemble known here"),
        (LogisticRegression(), BINARY, "decision_function", "no tree ensemble known here"),
        (Liar(**SMALL), SCORE, "predict", "its answers are not those of the trees"),
        (RandomForestClassifier(**SMALL), BINARY, "predict", "a class label is no sum over trees"),
        (HistGradientBoostingClassifier(**HIST), BINARY, "predict", "a class label is no sum over trees"),
        (GradientBoostingClassifier(loss="exponential", **SMALL), BINARY, "predict_proba", "its answers are not"),
        (GradientBoostingRegressor(init=LinearRegression(), **SMALL), SCORE, "predict", "its answers are not those"),
        (RandomForestRegressor(**SMALL), np.column_stack([SCORE, -SCORE]), "predict", "more than one target"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_read_is_asked(model, y, response, reason):
    model.fit(X, y)
    predict = getattr(model, response)
    grid = numeric_grid(X[:, 0], 6)
    found = exact_dependence(model, predict, X, (0,), (grid,), response=response)
    expected = brute_ice(predict, X, 0, grid.values)
    assert np.allclose(found.ice, expected, atol=1e-12)
    assert (found.status, found.n_trees) == ("complete", 0)
    assert reason in found.unread
    assert found.complete
    assert found.n_model_rows == 700 * 6
    (one,) = exact_dependences(model, predict, X, (0,), (grid,), response=response)
    assert np.allclose(one.effect, expected.mean(axis=1), atol=1e-12)
    assert reason in one.unread
    assert one.n_trees == 0


def test_what_does_not_fit_is_asked():
    model = RandomForestRegressor(**SMALL).fit(X, SCORE)
    wider = np.column_stack([X, X[:, 0]])
    grid = numeric_grid(X[:, 0], 6)
    found = exact_dependence(model, lambda rows: model.predict(rows[:, :5]), wider, (0,), (grid,), response="predict")
    assert "it was fitted on 5 columns, not 6" in found.unread
    other = exact_dependence(model, model.predict, X, (0,), (grid,), response="decision_function")
    assert "it has no decision_function" in other.unread
    class_model = RandomForestClassifier(**SMALL).fit(X, THREE)
    second = lambda rows: class_model.predict_proba(rows)[:, 1]  # noqa: E731
    missing = exact_dependence(class_model, second, X, (0,), (grid,), response="predict_proba", outputs=(7,))
    assert "stores its trees otherwise" in missing.unread
    levels = HistGradientBoostingRegressor(categorical_features=[1], **HIST)
    coded = X.copy()
    coded[:, 1] = np.arange(len(X)) % 4
    levels.fit(coded, SCORE)
    levels._preprocessor = None  # as in a version that encodes elsewhere
    mismatch = exact_dependence(levels, lambda rows: rows[:, 0], coded, (0,), (grid,), response="predict")
    assert mismatch.unread
    assert mismatch.n_trees == 0


def test_a_version_that_stores_trees_elsewhere_is_asked():
    model = RandomForestRegressor(**SMALL).fit(X, SCORE)
    trees = model.__dict__.pop("estimators_")
    predict = lambda rows: np.mean([tree.predict(rows) for tree in trees], axis=0)  # noqa: E731
    found = exact_dependence(model, predict, X, (0,), (numeric_grid(X[:, 0], 6),), response="predict")
    assert "stores its trees otherwise" in found.unread


def test_embeddings_and_dummies_are_not_read():
    embedding = RandomTreesEmbedding(n_estimators=2, random_state=0).fit(X)
    with pytest.raises(InputError, match="thresholds can be read from tree ensembles only"):
        threshold_grid(DummyClassifier().fit(X, BINARY), 0, X[:, 0])
    grid = numeric_grid(X[:, 0], 4)
    found = exact_dependence(embedding, lambda rows: rows[:, 0], X, (0,), (grid,), response="predict")
    assert found.unread
    assert found.n_trees == 0


@pytest.mark.parametrize(
    ("column", "message"), [(9, "one of 0 … 4"), (1, "not split by thresholds"), (4, "not split by thresholds")]
)
def test_columns_without_thresholds_are_said(column, message):
    coded = X.copy()
    coded[:, 1] = np.arange(len(X)) % 4
    model = HistGradientBoostingRegressor(categorical_features=[1], **HIST)
    coded[:, 4] = 0
    model.fit(coded, SCORE + (coded[:, 1] == 2))
    with pytest.raises(InputError, match=message):
        threshold_grid(model, column, X[:, 0])
