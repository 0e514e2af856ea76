"""Projected forests against their definition by lists of rows."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor

from rules import oracle
from tauscope.errors import InputError
from tauscope.rules import packed, walks
from tauscope.rules.decision import SameDecision
from tauscope.rules.forest import ProjectedForest

CLASSIFIERS = (RandomForestClassifier, ExtraTreesClassifier)


def problem(kind=RandomForestClassifier, n=120, p=4, *, seed=0, missing=False, n_trees=5, **options):
    random = np.random.default_rng(seed)
    X = np.round(random.normal(size=(n, p)), 1)  # ties, as real tables have them
    y = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * random.normal(size=n)
    if kind in CLASSIFIERS:
        y = np.where(y > 0.5, "c", np.where(y > -0.5, "b", "a"))
    if missing:
        X[random.random(X.shape) < 0.15] = np.nan
    forest = kind(n_trees, random_state=seed, **options).fit(X, y)
    return forest, X, y


def subsets_of(p):
    return [one for size in range(p + 1) for one in combinations(range(p), size)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*CLASSIFIERS, RandomForestRegressor, ExtraTreesRegressor])
@pytest.mark.parametrize("min_rows", [1, 5, 30])
@pytest.mark.parametrize("missing", [False, True])
def test_weights_are_those_of_the_definition(kind, min_rows, missing):
    forest, X, y = problem(kind, missing=missing)
    projected = ProjectedForest(forest, X, y)
    explained = X[:3]
    subsets = subsets_of(4)
    found = projected.weights(explained, subsets, min_rows=min_rows)
    for i, x in enumerate(explained):
        for j, subset in enumerate(subsets):
            expected = oracle.weights(forest, X, x, set(subset), min_rows)
            assert found[i, j] == pytest.approx(expected, abs=1e-12), (i, subset)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(8, 90),
    p=st.integers(1, 5),
    min_rows=st.integers(1, 8),
    missing=st.booleans(),
    kind=st.sampled_from([RandomForestClassifier, ExtraTreesRegressor, RandomForestRegressor]),
)
def test_sdp_of_generated_forests_is_that_of_the_definition(seed, n, p, min_rows, missing, kind):
    random = np.random.default_rng(seed)
    X = np.round(random.normal(size=(n, p)), 1)
    y = np.where(np.arange(n) % 2, X[:, 0], random.normal(size=n))
    if missing:
        X[random.random(X.shape) < 0.2] = np.nan
        X[0] = 0
    if kind is RandomForestClassifier:
        y = (np.argsort(np.argsort(y)) > n // 2).astype(int)
    forest = kind(3, random_state=seed % 97).fit(X, y)
    projected = ProjectedForest(forest, X, y)
    row, subset = int(random.integers(n)), tuple(np.flatnonzero(random.random(p) < 0.6).tolist())
    same = SameDecision.within(projected.y[[row]], 0.25)
    found = projected.sdp(X[[row]], [subset], same, min_rows=min_rows)[0, 0]
    weights = oracle.weights(forest, X, X[row], set(subset), min_rows)
    assert found == pytest.approx(weights[(projected.y - projected.y[row]) ** 2 <= 0.25].sum(), abs=1e-9)


@pytest.mark.slow
def test_all_subsets_at_once_are_as_one_by_one():
    forest, X, y = problem(n=300, p=6, n_trees=4)
    projected = ProjectedForest(forest, X, y)
    subsets = subsets_of(6)
    same = SameDecision.of_class(projected.predict(X[:2]))
    together = projected.sdp(X[:2], subsets, same)
    for j, subset in enumerate(subsets):
        assert projected.sdp(X[:2], [subset], same)[:, 0] == pytest.approx(together[:, j], abs=1e-12)


@pytest.mark.parametrize(("where", "name", "value"), [(packed, "BLOCK", 250), (walks, "NARROW", 2)])
@pytest.mark.slow
def test_blocks_of_trees_and_wide_ranks_change_nothing(where, name, value, monkeypatch):
    forest, X, y = problem(RandomForestRegressor, n_trees=5, missing=True)
    usual = ProjectedForest(forest, X, y)
    subsets = [*subsets_of(4), (0,)]  # one of them twice
    expected = usual.weights(X[:2], subsets), usual.boxes(X[:2], subsets).upper
    same = SameDecision.within(y[:2], 0.5)
    sdp = usual.sdp_by_tree(X[:2], subsets, same)
    monkeypatch.setattr(where, name, value)
    other = ProjectedForest(forest, X, y)
    assert other.weights(X[:2], subsets) == pytest.approx(expected[0], abs=1e-12)
    assert np.array_equal(other.boxes(X[:2], subsets).upper, expected[1])
    assert np.array_equal(other.sdp_by_tree(X[:2], subsets, same), sdp)


@pytest.mark.slow
def test_many_rows_are_as_row_by_row():
    forest, X, y = problem(RandomForestRegressor, n=700, p=20, n_trees=3)
    projected = ProjectedForest(forest, X, y)
    same = SameDecision.within(projected.predict(X), 0.5)
    subsets = [(0, 1), (3, 17, 2), tuple(range(20))]  # more questions than are walked at once
    together = projected.sdp(X, subsets, same)
    for i in (0, 333, 699):
        alone = projected.sdp(X[i : i + 1], subsets, same.some(slice(i, i + 1)))
        assert alone[0] == pytest.approx(together[i], abs=1e-12)


@pytest.mark.parametrize("min_rows", [1, 4, 20, 60])
@pytest.mark.slow
def test_cells_keep_their_rows_and_stop_before_the_next_level(min_rows):
    forest, X, y = problem(RandomForestRegressor)
    projected = ProjectedForest(forest, X, y)
    boxes = projected.boxes(X[:5], subsets_of(4), min_rows=min_rows)
    assert boxes.count.min() >= min_rows
    fewer = projected.boxes(X[:5], subsets_of(4), min_rows=min_rows + 10)
    assert (fewer.count >= boxes.count).all()
    assert (fewer.level <= boxes.level).all()


@pytest.mark.parametrize("missing", [False, True])
def test_boxes_hold_the_rows_that_have_weight(missing):
    forest, X, y = problem(missing=missing, n_trees=1)
    projected = ProjectedForest(forest, X, y)
    subsets = subsets_of(4)
    boxes = projected.boxes(X[:4], subsets, min_rows=3)
    weights = projected.weights(X[:4], subsets, min_rows=3)
    drawn = oracle.bootstrap(forest, len(X))[0] > 0
    values = X.astype(np.float32)
    for place in np.ndindex(4, len(subsets)):
        lower, upper, takes = boxes.lower[place][0], boxes.upper[place][0], boxes.takes_missing[place][0]
        inside = np.where(np.isnan(values), takes, (values > lower) & (values <= upper)).all(axis=1)
        assert np.array_equal(inside & drawn, weights[place] > 0)
    free = [np.setdiff1d(range(4), subset) for subset in subsets]
    assert all(np.isinf(boxes.upper[:, j][..., free[j]]).all() for j in range(len(subsets)))


def test_cdf_expectation_and_quantiles_are_those_of_the_weights():
    forest, X, y = problem(RandomForestRegressor)
    projected = ProjectedForest(forest, X, y)
    subsets = [(), (0,), (1, 2), (0, 1, 2, 3)]
    weights = projected.weights(X[:3], subsets)
    grid = np.sort([-1.0, 0, float(y[5]), 9])
    cdf = projected.cdf(X[:3], subsets, grid)
    assert cdf == pytest.approx(np.stack([weights @ (y <= value) for value in grid], axis=-1))
    assert cdf[..., -1] == pytest.approx(1)
    assert (np.diff(cdf, axis=-1) >= 0).all()
    assert projected.expectation(X[:3], subsets) == pytest.approx(weights @ y)
    levels = np.array([0.0, 0.1, 0.5, 1.0])
    quantiles = projected.quantile(X[:3], subsets, levels)
    for place in np.ndindex(3, len(subsets)):
        used = np.sort(y[weights[place] > 0])
        assert quantiles[place][0] == used[0]
        assert quantiles[place][-1] == used[-1]
        for level, value in zip(levels[1:3], quantiles[place][1:3], strict=True):
            assert weights[place][y <= value].sum() >= level - 1e-9
            assert weights[place][y < value].sum() < level + 1e-9


@pytest.mark.parametrize("stressed", [False, True])
@pytest.mark.slow
def test_sums_over_cells_are_those_of_the_weights(stressed):
    forest, X, y = problem(RandomForestRegressor, n=200)
    projected = ProjectedForest(forest, X, np.round(y, 1))
    y, weight = projected.y, None
    if stressed:  # some rows and trees have no say
        weight = np.where(np.random.default_rng(0).random(len(X)) < 0.6, 0.0, 1.0)
    subsets = [(1, 0), (), (0, 1, 2, 3)]
    weights = projected.weights(X[:40], subsets, weight=weight, min_rows=8)
    grid = np.array([0.4, -1.0, 0.4, 9.0])  # in any order
    expected = np.minimum(weights @ (y[:, None] <= grid), 1)
    assert projected.cdf(X[:40], subsets, grid, weight=weight, min_rows=8) == pytest.approx(expected, abs=1e-12)
    assert projected.expectation(X[:40], subsets, weight=weight, min_rows=8) == pytest.approx(weights @ y)
    found = projected.quantile(X[:40], subsets, np.array([0.37, 0.81]), weight=weight, min_rows=8)
    order = np.argsort(y)
    reached = np.cumsum(weights[..., order], axis=-1)
    for k, level in enumerate((0.37, 0.81)):
        assert np.array_equal(found[..., k], y[order][(reached >= level - 1e-12).argmax(axis=-1)])


def test_expectation_of_classes_is_their_shares():
    forest, X, y = problem()
    projected = ProjectedForest(forest, X, y)
    shares = projected.expectation(X[:2], [(0, 2)])
    weights = projected.weights(X[:2], [(0, 2)])
    assert projected.classes.tolist() == ["a", "b", "c"]
    assert shares == pytest.approx(np.stack([weights @ (y == label) for label in "abc"], axis=-1))


def test_all_features_and_a_row_a_cell_are_the_forest_itself():
    forest, X, y = problem(RandomForestRegressor, n=200)
    projected = ProjectedForest(forest, X, y)
    new = np.random.default_rng(1).normal(size=(50, 4))
    full = projected.expectation(new, [(0, 1, 2, 3)], min_rows=1)[:, 0]
    assert full == pytest.approx(forest.predict(new))
    assert projected.predict(new) == pytest.approx(forest.predict(new))


def test_whole_weights_are_repeated_rows():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(60, 3)), random.normal(size=60)
    times = random.integers(1, 4, size=60)
    forest = ExtraTreesRegressor(4, random_state=0).fit(X, y)
    projected = ProjectedForest(forest, X, y)
    subsets = subsets_of(3)
    same = SameDecision.within(y[:5], 0.5)
    stressed = projected.sdp(X[:5], subsets, same, weight=times.astype(float), min_rows=4)
    for i in range(5):
        for j, subset in enumerate(subsets):
            inside = []
            for estimator in forest.estimators_:
                own = oracle.cell(estimator.tree_, np.ones(60, dtype=int), X, X[i], set(subset), 4)
                repeated = np.repeat(own, times[own])
                inside.append(np.mean((y[repeated] - y[i]) ** 2 <= 0.5))
            assert stressed[i, j] == pytest.approx(np.mean(inside), abs=1e-12)


def test_a_stress_multiplies_the_counts_and_leaves_the_cells():
    forest, X, y = problem(RandomForestRegressor)
    projected = ProjectedForest(forest, X, y)
    weight = np.random.default_rng(0).exponential(size=len(X))
    found = projected.weights(X[:2], [(0, 1), (2,)], weight=weight)
    packed = projected.nbytes
    same = SameDecision.within(y[:2], 0.5)
    stressed = projected.sdp(X[:2], [(0, 1), (2,)], same, weight=weight)
    assert projected.nbytes == packed  # before and after from the same sets
    for i, j, subset in ((0, 0, {0, 1}), (1, 1, {2})):
        expected = oracle.weights(forest, X, X[i], subset, 5, weight)
        assert found[i, j] == pytest.approx(expected, abs=1e-12)
        assert stressed[i, j] == pytest.approx(expected[(y - y[i]) ** 2 <= 0.5].sum())


def test_trees_without_weight_have_no_say():
    forest, X, y = problem(n_trees=3)
    projected = ProjectedForest(forest, X, y)
    cells = [
        oracle.cell(estimator.tree_, count, X, X[0], {0, 1, 2, 3}, 2)
        for estimator, count in zip(forest.estimators_, oracle.bootstrap(forest, len(X)), strict=True)
    ]
    weight = np.ones(len(X))
    weight[cells[0]] = 0
    same = SameDecision.of_class(projected.y[:1])
    by_tree = projected.sdp_by_tree(X[:1], [(0, 1, 2, 3)], same, weight=weight, min_rows=2)[0, 0]
    assert np.isnan(by_tree[0])
    assert not np.isnan(by_tree).all()
    mean = projected.sdp(X[:1], [(0, 1, 2, 3)], same, weight=weight, min_rows=2)[0, 0]
    assert mean == pytest.approx(np.nanmean(by_tree))
    weight[np.concatenate(cells)] = 0
    for ask in (
        lambda: projected.sdp(X[:1], [(0, 1, 2, 3)], same, weight=weight, min_rows=2),
        lambda: projected.weights(X[:1], [(0, 1, 2, 3)], weight=weight, min_rows=2),
    ):
        with pytest.raises(InputError, match="no tree's cell has any weight"):
            ask()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.slow
def test_a_group_of_columns_is_one_feature(missing):
    forest, X, y = problem(p=5, missing=missing)
    projected = ProjectedForest(forest, X, y, groups=[[1, 3], [0], [4, 2]])
    assert projected.n_features == 3
    assert projected.n_splits.sum() == sum((tree.tree_.feature >= 0).sum() for tree in forest.estimators_)
    assert projected.importance == pytest.approx([forest.feature_importances_[g].sum() for g in ([1, 3], [0], [4, 2])])
    subsets = subsets_of(3)
    found = projected.weights(X[:2], subsets)
    for i in range(2):
        for j, subset in enumerate(subsets):
            columns = {column for group in subset for column in projected.groups[group]}
            assert found[i, j] == pytest.approx(oracle.weights(forest, X, X[i], columns, 5), abs=1e-12)


def test_order_is_by_splits_or_importance():
    forest, X, y = problem(RandomForestRegressor, n=300)
    projected = ProjectedForest(forest, X, y)
    assert (np.diff(projected.n_splits[projected.order()]) <= 0).all()
    assert (np.diff(projected.importance[projected.order("importance")]) <= 0).all()


@pytest.mark.parametrize("kind", [RandomForestClassifier, RandomForestRegressor])
@pytest.mark.slow
def test_out_of_bag_is_as_scikit_learn_has_it(kind):
    forest, X, y = problem(kind, n_trees=40, oob_score=True)
    projected = ProjectedForest(forest, X, y)
    index, prediction = projected.out_of_bag()
    assert len(index) == len(X)
    expected = forest.oob_prediction_ if kind is RandomForestRegressor else forest.oob_decision_function_.argmax(axis=1)
    assert prediction == pytest.approx(expected)


def test_no_row_out_of_bag_is_said():
    forest, X, y = problem(ExtraTreesRegressor)
    with pytest.raises(InputError, match="bootstrap=True"):
        ProjectedForest(forest, X, y).out_of_bag()
    X, y = np.array([[0.0], [1]]), np.array([0.0, 1])
    forest = RandomForestRegressor(1, random_state=3).fit(X, y)
    seeds = (RandomForestRegressor(1, random_state=seed).fit(X, y) for seed in range(20))
    forest = next(one for one in seeds if len(set(one.estimators_samples_[0].tolist())) == 2)
    with pytest.raises(InputError, match="none is out of bag"):
        ProjectedForest(forest, X, y).out_of_bag()


def test_values_beyond_the_training_range_are_told():
    forest, X, y = problem()
    projected = ProjectedForest(forest, X, y)
    new = X[:1].copy()
    new[0, 2] = 99
    assert projected.outside(new).tolist() == [[False, False, True, False]]
    assert 0 <= projected.sdp(new, [(2,)], SameDecision.of_class(np.zeros(1)))[0, 0] <= 1


def test_memory_is_bounded_and_told():
    forest, X, y = problem(RandomForestRegressor, n=400)
    free, bounded = ProjectedForest(forest, X, y), ProjectedForest(forest, X, y, max_bytes=1)
    empty = free.nbytes
    assert bounded.nbytes == empty
    subsets = subsets_of(4)
    first = free.weights(X[:2], subsets)
    assert free.nbytes > empty
    assert np.array_equal(bounded.weights(X[:2], subsets), first)
    assert bounded.nbytes == empty


@pytest.mark.slow
def test_memory_is_bounded_within_a_question(monkeypatch):
    monkeypatch.setattr(packed, "BLOCK", 1)  # a block a tree
    forest, X, y = problem(RandomForestRegressor, n=400, n_trees=8)
    free = ProjectedForest(forest, X, y)
    same = SameDecision.within(y[:2], 0.5)
    for subsets in (subsets_of(4), [(0, 1)]):  # by a lattice, and in runs
        expected = free.sdp(X[:2], subsets, same)
        bounded = ProjectedForest(forest, X, y, max_bytes=40_000)
        spent = []
        for found in bounded._packed.find(X[:2], subsets, 5):
            others = [block.sets.packed_bytes for block in bounded._packed.blocks if block is not found.block]
            spent.append(sum(others))
        assert 0 < max(spent) <= 40_000
        assert np.array_equal(bounded.sdp(X[:2], subsets, same), expected)


@pytest.mark.parametrize("min_rows", [0, 121])
def test_min_rows_a_tree_cannot_have_is_refused(min_rows):
    forest, X, y = problem()
    projected = ProjectedForest(forest, X, y)
    with pytest.raises(InputError, match="from 1 to the 120 rows"):
        projected.weights(X[:1], [(0,)], min_rows=min_rows)


def test_bad_input_is_refused():
    forest, X, y = problem(RandomForestRegressor)
    projected = ProjectedForest(forest, X, y)
    same = SameDecision.within(y[:1], 1.0)
    cases = {
        "columns the forest was fitted on, got 3": lambda: projected.sdp(X[:1, :3], [(0,)], same),
        "shape (n_rows, n_columns); got shape (4,)": lambda: projected.sdp(X[0], [(0,)], same),
        "features from 0 to 3, got 4": lambda: projected.sdp(X[:1], [(4,)], same),
        "one decision for each of the 2 rows, got 1": lambda: projected.sdp(X[:2], [(0,)], same),
        "levels must lie in [0, 1]": lambda: projected.quantile(X[:1], [(0,)], np.array([1.2])),
        "each of the columns 0 to 3 once": lambda: ProjectedForest(forest, X, y, groups=[[0, 1], [1, 2, 3]]),
        "at least two values": lambda: ProjectedForest(forest, X, np.ones(120)),
        "finite numbers": lambda: ProjectedForest(forest, X, np.full(120, np.nan)),
        "one value for each of the 120 rows": lambda: ProjectedForest(forest, X, y[:9]),
        "one weight per row": lambda: projected.sdp(X[:1], [(0,)], same, weight=np.ones(3)),
    }
    for text, ask in cases.items():
        with pytest.raises(InputError) as caught:
            ask()
        assert text in str(caught.value)
