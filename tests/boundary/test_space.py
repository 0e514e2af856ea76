"""Distances against the slow obvious definition; limits."""

import tracemalloc

import numpy as np
import pytest

from boundary.problems import Problem, Spy
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.planes.diagnostics import mean_distance
from tauscope.boundary.refine import drop_residue
from tauscope.boundary.rivals import MOST_COLUMNS, Pool, nearest_rivals
from tauscope.boundary.space import Limits, Metric, Space
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions
from tauscope.prediction.rows import ArrayRows

BLOCKS = ((2,), (3, 4, 5))
SCALE = np.array([0.5, 3, 1, 1, 1, 1])


def rows(n: int = 30, *, missing: bool = True) -> np.ndarray:
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.normal(size=(n, 2)), rng.integers(4, size=n), np.eye(3)[rng.integers(3, size=n)]])
    if missing:
        points[rng.random(n) < 0.2, 0] = np.nan
        points[rng.random(n) < 0.2, 2] = np.nan
    return points


def slow_distance(metric: Metric, a: np.ndarray, b: np.ndarray) -> float:
    def difference(x: float, y: float, scale: float) -> float:
        return 0.0 if np.isnan(x) or np.isnan(y) else abs(x - y) / scale

    def same(x: float, y: float) -> bool:
        return x == y or bool(np.isnan(x) and np.isnan(y))

    if metric == "gower":
        numbers = [difference(a[j], b[j], SCALE[j]) for j in (0, 1)]
        blocks = [float(not all(same(a[j], b[j]) for j in block)) for block in BLOCKS]
        return float(np.mean(numbers + blocks))
    parts = [difference(x, y, s) for x, y, s in zip(a, b, SCALE, strict=True)]
    return float(np.sqrt(np.sum(np.square(parts)))) if metric == "euclidean" else float(np.sum(parts))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower"])
def test_distance_is_the_definition(metric: Metric) -> None:
    points = rows()
    space = Space(metric, SCALE, BLOCKS, np.zeros(6, bool))
    fast = space.distance(points[:, None], points[None])
    slow = [[slow_distance(metric, a, b) for b in points] for a in points]
    assert np.allclose(fast, slow)


def test_jaccard_is_the_share_of_columns_that_differ_among_those_present() -> None:
    points = (np.random.default_rng(0).random((20, 7)) < 0.4).astype(float)
    space = Space("jaccard", np.ones(7), tuple((j,) for j in range(7)), np.zeros(7, bool))
    for a in points:
        for b in points:
            either = np.count_nonzero((a + b) > 0)
            slow = np.count_nonzero(a != b) / either if either else 0.0
            assert space.distance(a, b) == pytest.approx(slow)


@pytest.mark.parametrize("p", [MOST_COLUMNS, MOST_COLUMNS + 1])
def test_rivals_of_many_columns_and_in_several_parts_are_the_nearest(p: int, monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(0).normal(size=(60, p))
    labels = np.arange(60) % 2
    space = Space("euclidean", np.ones(p), (), np.zeros(p, bool))
    monkeypatch.setattr("tauscope.boundary.rivals.WORKING_BYTES", 8 * 30 * 7)
    found = nearest_rivals(space, Pool(points, labels), points, labels, None, 5)
    for i in range(60):
        others = np.flatnonzero(labels != labels[i])
        away = np.linalg.norm(points[others] - points[i], axis=1)
        np.testing.assert_array_equal(found[i], others[np.argsort(away, kind="stable")[:5]])


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "gower"])
def test_rivals_are_the_nearest_by_the_slow_distance(metric: Metric) -> None:
    points = rows(60, missing=False)
    labels = (points[:, 1] > 0).astype(np.int64)
    space = Space(metric, SCALE, BLOCKS, np.zeros(6, bool))
    found = nearest_rivals(space, Pool(points, labels), points[:10], labels[:10], None, 5)
    for i in range(10):
        away = np.array([slow_distance(metric, points[i], other) for other in points])
        away[labels == labels[i]] = np.inf
        assert np.allclose(away[found[i]], np.sort(away)[:5])


def test_limits_hold_every_point_and_keep_it_of_its_kind() -> None:
    rng = np.random.default_rng(1)
    start = rows(8)
    space = Space("gower", SCALE, BLOCKS, np.array([False, True, False, False, False, False]))
    start[:, 1] = np.round(start[:, 1])
    limits = Limits(start - 0.7, start + 0.7, {2: np.array([0.0, 1.0])})
    limits.lower[:, 2:], limits.upper[:, 2:] = -np.inf, np.inf
    tried = rng.normal(size=(8, 50, 6)) * 3
    tried[:, :, 2] = rng.integers(4, size=(8, 50))
    tried[:, :, 3:] = np.eye(3)[rng.integers(3, size=(8, 50))]
    within = limits.project(space, start, tried)
    seen = ~np.isnan(within)
    assert (np.isnan(within) == np.isnan(start)[:, None]).all()
    assert ((within >= limits.lower[:, None]) | ~seen).all()
    assert ((within <= limits.upper[:, None]) | ~seen).all()
    assert (within[..., 1] == np.round(within[..., 1])).all()
    codes = within[..., 2]
    assert (np.isin(codes, [0, 1]) | (codes == start[:, None, 2]) | np.isnan(codes)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("euclidean", np.ones(3), ((0, 1), (1, 2)), np.zeros(3, bool)), "one block"),
        (("euclidean", np.array([1.0, 0, 1]), (), np.zeros(3, bool)), "above 0"),
        (("jaccard", np.ones(3), ((0,),), np.zeros(3, bool)), "each a block"),
    ],
)
def test_a_space_that_cannot_be_is_refused(arguments: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Space(*arguments)


@pytest.mark.parametrize("n_levels", [200, 20_000])
def test_levels_take_memory_as_the_rows_not_as_their_square(n_levels: int) -> None:
    rng = np.random.default_rng(0)
    points = np.column_stack([rng.permutation(n_levels), rng.normal(size=n_levels), rng.integers(0, 2, n_levels)])
    labels = (points[:, 1] > 0).astype(np.int64)
    space = Space("gower", np.ones(3), ((0,), (2,)), np.zeros(3, bool))
    tracemalloc.start()
    try:
        nearest_rivals(space, Pool(points, labels), points[:3], labels[:3], None, 5)
        mean_distance(space, Pool(points, labels), 0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * points.nbytes + 4 * 2**20


@pytest.mark.parametrize("n_columns", [100, 5000])
@pytest.mark.parametrize("binary", [True, False])
def test_columns_put_back_take_memory_as_the_columns_not_as_their_square(n_columns: int, binary: bool) -> None:
    points = np.random.default_rng(0).normal(size=(3, n_columns))
    points = (points > 0).astype(float) if binary else points
    space = Space(
        "euclidean", np.ones(n_columns), tuple((j,) for j in range(n_columns) if binary), np.full(n_columns, binary)
    )
    problem = Problem(Spy(lambda x: 2 * (x == points[0]).all(axis=1) - 1.0), points, space, np.array([0]))
    tracemalloc.start()
    try:
        predictor = DecisionPredictor(problem.spy.decision, ArrayRows(points), BatchOptions(64))
        problem.spy.asked.clear()
        drop_residue(predictor, space, problem.starts, points[1:2], np.ones(1))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100 * points.nbytes + 2**20
