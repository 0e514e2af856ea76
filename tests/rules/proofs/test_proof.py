"""Proofs about boxes are hunted for counterexamples; refutations are rows that the model itself answers otherwise."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

from tauscope.errors import InputError
from tauscope.rules.proofs.answers import class_forms, interval_forms
from tauscope.rules.proofs.proof import prove_answer
from tauscope.trees.adapters import read_trees
from tauscope.trees.ranges import ValueBoxes, enclose_sums

N_COLUMNS = 5
CLASSIFIERS = {
    "tree": DecisionTreeClassifier(max_depth=6, random_state=0),
    "forest": RandomForestClassifier(10, random_state=0),
    "shallow forest": RandomForestClassifier(15, max_depth=3, random_state=0),
    "extra trees": ExtraTreesClassifier(7, max_depth=5, random_state=0),
    "boosting": GradientBoostingClassifier(n_estimators=12, random_state=0),
    "histograms": HistGradientBoostingClassifier(max_iter=10, min_samples_leaf=5, random_state=0),
}
REGRESSORS = {
    "forest": RandomForestRegressor(8, max_depth=6, random_state=0),
    "boosting": GradientBoostingRegressor(n_estimators=15, random_state=0),
    "poisson": HistGradientBoostingRegressor(loss="poisson", max_iter=10, min_samples_leaf=5, random_state=0),
}


def rows_of(n_classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(
        300, N_COLUMNS, n_informative=3, n_redundant=0, n_classes=n_classes, n_clusters_per_class=1, random_state=seed
    )
    return X.astype(np.float32).astype(float), y


def draw_box(rng: np.random.Generator, row: np.ndarray, width: float) -> ValueBoxes:
    """Return a box around a row, some of its columns open."""
    ends = np.stack([row - width * rng.exponential(size=N_COLUMNS), row + width * rng.exponential(size=N_COLUMNS)])
    ends = ends.astype(np.float32).astype(float)
    ends[:, rng.random(N_COLUMNS) < 0.3] = [[-np.inf], [np.inf]]
    return ValueBoxes(ends[:1], ends[1:], np.zeros((1, N_COLUMNS), bool))


def draw_rows(rng: np.random.Generator, box: ValueBoxes, n: int) -> np.ndarray:
    """Draw rows of a box: inside, and with columns at its ends."""
    lower, upper = np.maximum(box.lower, -6.0), np.minimum(box.upper, 6.0)
    rows = rng.uniform(lower, upper, (n, N_COLUMNS)).astype(np.float32).astype(float)
    rows = np.clip(rows, lower, upper)
    at_end = rng.random((n, N_COLUMNS))
    return np.where(at_end < 0.2, lower, np.where(at_end > 0.8, upper, rows))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_no_row_of_a_proved_box_is_answered_otherwise(name, n_classes):
    X, y = rows_of(n_classes)
    model = CLASSIFIERS[name].fit(X, y)
    response = "decision_function" if hasattr(model, "decision_function") else "predict_proba"
    trees = read_trees(model, response).trees
    rng, statuses = np.random.default_rng(1), []
    for i in range(60):
        label = int(model.predict(X[i : i + 1])[0])
        box = draw_box(rng, X[i], rng.choice([0.1, 0.5, 1.5]))
        proof = prove_answer(trees, class_forms(trees, label), box)
        statuses.append(proof.status)
        drawn = model.predict(draw_rows(rng, box, 300)) != label
        if proof.status == "proved":
            assert not drawn.any()
            assert proof.low > 0
        if proof.status == "refuted":
            assert (box.lower[0] <= proof.row).all()
            assert (proof.row <= box.upper[0]).all()
            assert model.predict(proof.row[None])[0] != label
    assert statuses.count("proved") >= 5
    assert statuses.count("refuted") >= 5
    assert "open" not in statuses


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSORS)
def test_predictions_are_proved_to_lie_in_an_interval(name):
    X, y = rows_of(2)
    model = REGRESSORS[name].fit(X, y + (1 - X[:, 0]) ** 2)
    trees = read_trees(model, "predict").trees
    rng, statuses = np.random.default_rng(1), []
    for i in range(50):
        value = float(model.predict(X[i : i + 1])[0])
        low, high = value - 1.0, value + 1.5
        box = draw_box(rng, X[i], rng.choice([0.05, 0.5]))
        proof = prove_answer(trees, interval_forms(trees, low, high), box)
        statuses.append(proof.status)
        drawn = model.predict(draw_rows(rng, box, 300))
        if proof.status == "proved":
            assert low <= drawn.min()
            assert drawn.max() <= high
        if proof.status == "refuted":
            assert not low <= model.predict(proof.row[None])[0] <= high
    assert statuses.count("proved") >= 5
    assert statuses.count("refuted") >= 5


@pytest.mark.slow
def test_a_search_that_ends_early_is_open():
    X, y = rows_of(2)
    model = RandomForestClassifier(30, random_state=0).fit(X, y)
    trees = read_trees(model, "predict_proba").trees
    rng, few, many = np.random.default_rng(0), [], []
    for i in range(40):
        forms, box = class_forms(trees, int(model.predict(X[i : i + 1])[0])), draw_box(rng, X[i], 0.5)
        few.append(prove_answer(trees, forms, box, budget=1))
        many.append(prove_answer(trees, forms, box))
    assert "open" in {proof.status for proof in few}
    assert "open" not in {proof.status for proof in many}
    for early, late in zip(few, many, strict=True):
        assert early.status in ("open", late.status)
        assert early.low <= late.low + 1e-12
        assert early.n_leaves <= late.n_leaves


def test_the_range_over_all_rows_is_that_of_a_single_tree():
    X, y = rows_of(2)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    trees = read_trees(model, "predict_proba").trees
    everything = ValueBoxes(
        *(np.full((1, N_COLUMNS), end) for end in (-np.inf, np.inf)), np.zeros((1, N_COLUMNS), bool)
    )
    ranges = enclose_sums(trees, trees.value[:, 0] * (trees.feature < 0), everything)
    assert (ranges.low[0], ranges.high[0]) == (0.0, 1.0)
    assert ranges.n_leaves == model.get_n_leaves()


@pytest.mark.parametrize("missing", [False, True])
def test_missing_values_go_where_the_trees_send_them(missing):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, N_COLUMNS))
    y = (np.nan_to_num(X[:, 0]) > 0.2).astype(int)
    gaps = rng.random(400) < 0.3
    X[gaps, 0], y[gaps] = np.nan, 1
    model = HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(X, y)
    trees = read_trees(model, "decision_function").trees
    lower, upper = np.full((1, N_COLUMNS), -np.inf), np.full((1, N_COLUMNS), np.inf)
    lower[0, 0], upper[0, 0] = -3.0, -1.0
    can_miss = np.zeros((1, N_COLUMNS), bool)
    can_miss[0, 0] = missing
    proof = prove_answer(trees, class_forms(trees, 0), ValueBoxes(lower, upper, can_miss))
    assert proof.status == ("refuted" if missing else "proved")
    if missing:
        assert np.isnan(proof.row[0])
        assert model.predict(proof.row[None])[0] == 1


def test_levels_are_parted_too():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 6, 600), rng.normal(size=600)]).astype(float)
    y = (np.isin(X[:, 0], [1, 4]) ^ (X[:, 1] > 1)).astype(int)
    model = HistGradientBoostingClassifier(max_iter=20, categorical_features=[0], random_state=0).fit(X, y)
    read = read_trees(model, "decision_function")
    for code, expected in ((1, "proved"), (2, "refuted")):
        box = ValueBoxes(np.array([[code, -3.0]]), np.array([[code, 0.5]]), np.zeros((1, 2), bool))
        assert prove_answer(read.trees, class_forms(read.trees, 1), box).status == expected
    every = ValueBoxes(np.array([[0, -3.0]]), np.array([[5, 0.5]]), np.zeros((1, 2), bool))
    proof = prove_answer(read.trees, class_forms(read.trees, 1), every)
    assert proof.status == "refuted"
    assert proof.row[0] in (0, 2, 3, 5)


def test_votes_that_tie_go_to_the_first_class():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    model = RandomForestClassifier(2, bootstrap=False, random_state=0).fit(X, [0, 1, 0, 1])
    first, second = model.estimators_
    model.estimators_ = [first, DecisionTreeClassifier(random_state=0).fit(X, [0, 0, 1, 1])]
    assert second is not None
    trees = read_trees(model, "predict_proba").trees
    at_two = ValueBoxes(np.array([[2.0]]), np.array([[2.0]]), np.zeros((1, 1), bool))
    assert model.predict([[2.0]])[0] == 0
    assert prove_answer(trees, class_forms(trees, 0), at_two).status == "proved"
    assert prove_answer(trees, class_forms(trees, 1), at_two).status == "refuted"


def test_a_class_that_is_none_and_an_empty_interval_are_refused():
    X, y = rows_of(2)
    trees = read_trees(DecisionTreeClassifier(max_depth=2).fit(X, y), "predict_proba").trees
    with pytest.raises(InputError, match="position of a class, 0 to 1; got 2"):
        class_forms(trees, 2)
    with pytest.raises(InputError, match="low must be less than high"):
        interval_forms(trees, 1.0, 1.0)
