"""Points in the active columns of a sparse matrix: what the model is given, rivals and distances as of dense rows."""

import numpy as np
import pytest
from scipy import sparse

from tauscope.boundary.diverse import plausibility
from tauscope.boundary.planes.diagnostics import mean_distance
from tauscope.boundary.rivals import Pool, nearest_rivals
from tauscope.boundary.space import Metric, Space
from tauscope.boundary.sparse import (
    ActiveRows,
    columns_used,
    dense_part,
    mean_sparse_distance,
    nearest_sparse_rivals,
    sparse_plausibility,
)
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Floats

N, P = 200, 30


def rows() -> Floats:
    random = np.random.default_rng(0)
    return random.random((N, P)) * (random.random((N, P)) < 0.2)


def labels() -> np.ndarray:
    return np.arange(N) % 3


def space_of(metric: Metric) -> Space:
    return Space(metric, np.ones(P), (), np.zeros(P, dtype=np.bool_))


@pytest.mark.parametrize("family", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
def test_points_are_rows_of_the_matrix_again(family: type, dtype: type) -> None:
    dense = np.round(9 * rows()).astype(dtype)
    matrix = family(dense)
    active = columns_used(matrix[[3, 5]])
    np.testing.assert_array_equal(active, np.flatnonzero(dense[[3, 5]].any(axis=0)))
    points = dense_part(matrix[[3, 5]], active)
    np.testing.assert_array_equal(points, dense[[3, 5]][:, active])
    own = ActiveRows(matrix, active)
    assert isinstance(own, Rows)
    assert (own.n_rows, own.n_columns) == (N, len(active))
    np.testing.assert_array_equal(own.column(1), dense[:, active[1]])
    again = own.substituted(np.array([3, 5]), tuple(range(len(active))), points)
    assert type(again) is type(matrix)
    assert again.dtype == dtype
    assert again.has_canonical_format
    np.testing.assert_array_equal(again.toarray(), dense[[3, 5]])


def test_a_part_leaves_out_what_is_in_no_active_column() -> None:
    dense = rows()
    active = np.array([0, 7, 29])
    np.testing.assert_array_equal(dense_part(sparse.csr_array(dense), active), dense[:, active])
    np.testing.assert_array_equal(dense_part(sparse.csr_array((2, P)), active), np.zeros((2, 3)))


def test_stored_zeros_are_no_columns() -> None:
    stored = sparse.csr_array((np.array([0.0, 2.0]), np.array([1, 4]), np.array([0, 2])), shape=(1, P))
    np.testing.assert_array_equal(columns_used(stored), [4])


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
@pytest.mark.parametrize("target", [None, 2])
def test_rivals_are_those_of_dense_rows(metric: Metric, target: int | None) -> None:
    dense, codes = rows(), labels()
    matrix = sparse.csr_array(dense)
    few = np.array([0, 1, 3, 4])
    ours = nearest_sparse_rivals(metric, matrix, codes, matrix[few], codes[few], target, 7)
    theirs = nearest_rivals(space_of(metric), Pool(dense, codes), dense[few], codes[few], target, 7)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other)


def test_no_rival_is_an_empty_list() -> None:
    matrix = sparse.csr_array(rows())
    (found,) = nearest_sparse_rivals("euclidean", matrix, np.zeros(N), matrix[[0]], np.zeros(1), None, 7)
    assert not len(found)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_distances_between_rows_are_those_of_dense_rows(metric: Metric) -> None:
    dense, codes = rows(), labels()
    matrix, space, pool = sparse.csr_array(dense), space_of(metric), Pool(dense, codes)
    assert mean_sparse_distance(metric, matrix, 0) == pytest.approx(mean_distance(space, pool, 0))
    assert np.isnan(mean_sparse_distance(metric, matrix[[0]], 0))
    points, classes = dense[:4] + 0.1, np.array([0, 1, 2, 5])
    ours = sparse_plausibility(metric, matrix, codes, sparse.csr_array(points), classes)
    np.testing.assert_allclose(ours, plausibility(space, pool, points, classes), atol=1e-9)
