import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boundary.certificates.models import Cells, held, random_in_ball, space, thresholds_of
from tauscope.boundary.certificates.certify import certify
from tauscope.boundary.space import Limits

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 3)).astype(np.float32).astype(float)
SCORE = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * RANDOM.normal(size=300)
Y = (SCORE > 0).astype(int)
Y3 = np.digitize(SCORE, [-0.5, 0.5])
ROWS = np.arange(12)


def bounds(model, geometry, points=X[ROWS], limits=None, target=None, n_classes=2, labels=None, **options):
    labels = model.predict(points) if labels is None else labels
    limits = Limits.none(*points.shape) if limits is None else limits
    return certify(model, "predict", geometry, points, labels, target, limits, n_classes=n_classes, **options)


def brute(model, trees, geometry, points=X[ROWS], target=None):
    cells = Cells(model.predict, thresholds_of(trees, points.shape[1]))
    flipped = [cells.answers != own if target is None else cells.answers == target for own in model.predict(points)]
    return np.array([cells.distance(geometry, *one) for one in zip(points, flipped, strict=True)])


def stages(model):
    return [tree.tree_ for tree in np.ravel(model.estimators_)]


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower"])
@pytest.mark.parametrize("target", [None, 2])
@pytest.mark.slow
def test_a_single_tree_is_exact(metric, target):
    geometry = space(3, metric, [1.0, 2.0, 0.5])
    tree = DecisionTreeClassifier(max_depth=6, random_state=0).fit(X, Y3)
    got = bounds(tree, geometry, target=target, n_classes=3)
    assert got.certificate == "exact"
    assert got.exact.all()
    np.testing.assert_allclose(got.distance, brute(tree, [tree.tree_], geometry, target=target), rtol=3e-6, atol=1e-7)


def test_a_regression_tree_is_exact_for_its_threshold():
    tree = DecisionTreeRegressor(max_depth=5, random_state=0).fit(X, SCORE)
    labels = (tree.predict(X[ROWS]) > 0.2).astype(int)
    got = bounds(tree, space(3), labels=labels, threshold=0.2)
    assert got.certificate == "exact"
    cells = Cells(tree.predict, thresholds_of([tree.tree_], 3))
    flipped = [(cells.answers > 0.2) != own for own in labels]
    wanted = [cells.distance(space(3), *one) for one in zip(X[ROWS], flipped, strict=True)]
    np.testing.assert_allclose(got.distance, wanted, rtol=3e-6, atol=1e-7)


ENSEMBLES = [
    RandomForestClassifier(6, max_depth=3, random_state=0),
    ExtraTreesClassifier(6, max_depth=3, random_state=0),
    GradientBoostingClassifier(n_estimators=8, max_depth=2, random_state=0),
]


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", ENSEMBLES, ids=lambda model: type(model).__name__)
def test_never_above_the_exact_distance_and_near_it(model, n_classes, metric):
    geometry = space(3, metric, [1.0, 2.0, 0.5])
    model.fit(X, Y if n_classes == 2 else Y3)
    wanted = brute(model, stages(model), geometry)
    got = bounds(model, geometry, n_classes=n_classes)
    assert got.certificate == "trees: boxes"
    assert (got.distance <= wanted * (1 + 3e-6) + 1e-7).all()
    # of ensembles this small the groups merge to one, so that only equal votes keep a bound below the distance
    assert np.median(got.distance / wanted) > 0.97
    assert (got.distance > 0.3 * wanted).mean() > 0.8
    least = bounds(model, geometry, n_classes=n_classes, budget=1)
    assert (least.distance <= got.distance + 1e-12).all()
    assert (least.distance < got.distance).any()


@pytest.mark.slow
def test_a_chosen_class_is_never_nearer_than_its_bound():
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, Y3)
    wanted = brute(model, stages(model), space(3), target=2)
    got = bounds(model, space(3), target=2, n_classes=3)
    assert (got.distance <= wanted * (1 + 3e-6) + 1e-7).all()
    assert (got.distance[model.predict(X[ROWS]) == 2] == 0).all()
    anywhere = bounds(model, space(3), n_classes=3)
    others = model.predict(X[ROWS]) != 2
    assert (got.distance[others] >= anywhere.distance[others] * 0.9).all()


@pytest.mark.slow
def test_regressions_by_a_threshold():
    for model in (
        RandomForestRegressor(4, max_depth=3, random_state=0),
        GradientBoostingRegressor(n_estimators=5, max_depth=2, random_state=0),
    ):
        model.fit(X, SCORE)
        labels = (model.predict(X[ROWS]) > 0.1).astype(int)
        got = bounds(model, space(3), labels=labels, threshold=0.1)
        cells = Cells(model.predict, thresholds_of(stages(model), 3))
        for point, own, bound in zip(X[ROWS], labels, got.distance, strict=True):
            wanted = cells.distance(space(3), point, (cells.answers > 0.1) != own)
            assert 0.9 * wanted < bound <= wanted * (1 + 3e-6)


def test_thresholds_are_met_as_float32_does():
    x = np.array([[0.1], [0.2], [0.3], [0.4]])
    tree = DecisionTreeClassifier().fit(x, [0, 0, 1, 1])
    for start in (0.1, 0.4):
        point = np.array([[start]])
        bound = bounds(tree, space(1), point).distance[0]
        sign = 1 if start < 0.25 else -1
        # nothing nearer flips, though the threshold as float64 lies up to 1.5e-8 away from where float32 turns
        steps = bound - np.linspace(0, 5e-8, 401)[1:]
        assert (tree.predict(start + sign * steps[:, None]) == tree.predict(point)).all()
        assert tree.predict(point + sign * (bound + 1e-12)) != tree.predict(point)


@pytest.mark.slow
def test_columns_that_stay_and_ends_of_columns():
    geometry = space(3)
    model = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, Y)
    point = X[ROWS]
    free = bounds(model, geometry).distance
    fixed = bounds(model, geometry, limits=held(point, [2])).distance
    assert (fixed >= free - 1e-12).all()
    assert (fixed > 1.05 * free).any()
    everything = bounds(model, geometry, limits=held(point, [0, 1, 2])).distance
    assert np.isinf(everything).all()
    assert (bounds(model, geometry, limits=held(point, [0, 1, 2]), upper=np.full(12, 2.0)).distance == 2).all()
    near = Limits(point - 0.05, point + 0.05, {})
    inside = bounds(model, geometry, limits=near).distance
    assert (inside >= free * 0.98).all()
    assert np.isinf(inside).sum() > 6
    for row in np.flatnonzero(np.isfinite(inside)):
        assert inside[row] <= 0.05 * np.sqrt(3) + 1e-9


def test_whole_numbers_go_to_whole_numbers():
    whole = np.round(3 * X)
    tree = DecisionTreeClassifier(max_depth=5, random_state=0).fit(whole, Y)
    got = bounds(tree, space(3, integer=[0, 1, 2]), whole[ROWS])
    grid = np.stack(np.meshgrid(*[np.arange(-12, 13.0)] * 3), axis=-1).reshape(-1, 3)
    labels = tree.predict(grid)
    for point, own, bound in zip(whole[ROWS], tree.predict(whole[ROWS]), got.distance, strict=True):
        wanted = np.sqrt(((grid[labels != own] - point) ** 2).sum(axis=1).min())
        assert bound == pytest.approx(wanted, abs=1e-9)
    assert got.certificate == "exact"


@pytest.mark.slow
def test_missing_values_stay_and_go_their_way():
    gapped = X.copy()
    gapped[RANDOM.random(X.shape) < 0.3] = np.nan
    for model in (
        HistGradientBoostingClassifier(max_iter=10, random_state=0),
        RandomForestClassifier(8, max_depth=4, random_state=0),
    ):
        model.fit(gapped, Y)
        points = gapped[ROWS]
        got = bounds(model, space(3), points)
        assert got.certificate == "trees: boxes"
        assert (got.distance > 0).sum() > 9
        stays = bounds(model, space(3), points, held(points, [0, 1, 2]))
        assert np.isinf(stays.distance).all()
        for point, own, bound in zip(points, model.predict(points), got.distance, strict=True):
            if np.isfinite(bound):
                free = ~np.isnan(point)
                tried = random_in_ball(RANDOM, space(3), np.nan_to_num(point), bound * (1 - 1e-9), 300, free)
                tried[:, ~free] = np.nan
                assert (model.predict(tried) == own).all()


@pytest.mark.slow
def test_behind_steps_column_by_column():
    forest = RandomForestClassifier(5, max_depth=3, random_state=0)
    scale = [3.0, 0.1, 20.0]
    moved = X * scale + 5
    behind = make_pipeline(StandardScaler(), forest).fit(moved, Y)
    got = bounds(behind, space(3, scale=scale), moved[ROWS])
    standard = StandardScaler().fit(moved)
    plain = bounds(forest, space(3, scale=np.array(scale) / standard.scale_), standard.transform(moved)[ROWS])
    np.testing.assert_allclose(got.distance, plain.distance, rtol=1e-6)


def test_what_makes_no_boxes_is_refused():
    for step in (PCA(2), PolynomialFeatures(2)):
        model = make_pipeline(step, DecisionTreeClassifier(max_depth=2)).fit(X, Y)
        got = bounds(model, space(3))
        assert got.certificate == "none"
        assert (got.distance == 0).all()
        assert "mixes columns" in got.reason or "PolynomialFeatures" in got.reason


@pytest.mark.slow
def test_levels_of_a_column_may_all_be_reached():
    codes = np.column_stack([RANDOM.integers(0, 4, 300), X[:, 0]]).astype(float)
    y = ((codes[:, 0] % 2) * 2 + codes[:, 1] > 1).astype(int)
    model = HistGradientBoostingClassifier(max_iter=10, categorical_features=[0], random_state=0).fit(codes, y)
    points = codes[:8]
    moving = bounds(model, space(2, "manhattan", blocks=[(0,)]), points)
    held_level = bounds(model, space(2, "manhattan", blocks=[(0,)]), points, held(points, [0]))
    assert moving.certificate == "trees: boxes"
    assert (moving.distance <= held_level.distance + 1e-12).all()
    gower = bounds(model, space(2, "gower", blocks=[(0,)]), points)
    assert (gower.distance <= 0.5).all()
    assert (gower.distance > 0).all()
    for point, own, one, other in zip(points, model.predict(points), moving.distance, gower.distance, strict=True):
        for level in range(4):
            values = point[1] + np.linspace(-3, 3, 601)
            tried = np.column_stack([np.full(601, level), values]).astype(float)
            flips = tried[model.predict(tried) != own]
            if len(flips):
                assert space(2, "manhattan", blocks=[(0,)]).distance(point, flips).min() >= one
                assert space(2, "gower", blocks=[(0,)]).distance(point, flips).min() >= other
