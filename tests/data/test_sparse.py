"""Sparse rows read from what is stored: any format, columns one at a time, what is refused."""

import numpy as np
import pytest
from scipy import sparse

from tauscope.data.features import default_features, features_by_name, select_features
from tauscope.data.sparse import SparseColumns, are_sparse, check_dense, is_sparse, read_rows, read_sparse
from tauscope.errors import InputError, InputTypeError, UnknownName

DENSE = np.array([[0, 1.5, 0, -1], [2, 0, 0, 0], [0, 0.5, 0, 3]])


def columns(X: object = DENSE) -> SparseColumns:
    return SparseColumns(read_sparse(sparse.csr_array(X)), ("a", "b", "c", "d"))


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("family", ["matrix", "array"])
def test_any_format_is_read_as_csr_of_its_family(form: str, family: str) -> None:
    X = getattr(sparse, f"{form}_{family}")(DENSE)
    table = read_rows(X)
    assert table.native is X
    assert isinstance(table.csr, sparse.spmatrix) == (family == "matrix")
    np.testing.assert_array_equal(table.csr.toarray(), DENSE)
    assert (table.kind, table.names, table.n_rows, table.n_columns) == ("sparse", None, 3, 4)
    assert is_sparse(X)
    assert not is_sparse(DENSE)


def test_what_is_given_is_not_copied_nor_written_to() -> None:
    X = sparse.csr_array(DENSE)
    assert read_sparse(X).csr is X
    twice = sparse.csr_array((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    np.testing.assert_array_equal(read_sparse(twice).csr.toarray(), [[0, 3, 0]])
    assert twice.nnz == 2


def test_rows_given_to_a_model_are_copies_that_are_watched() -> None:
    table = read_sparse(sparse.csr_array(DENSE))
    rows = table.rows(1, 3)
    assert table.same(rows, 1, 3)
    rows.data[:] = 9
    assert not table.same(rows, 1, 3)
    np.testing.assert_array_equal(table.csr.toarray(), DENSE)
    np.testing.assert_array_equal(table.take(np.array([2, 0])).csr.toarray(), DENSE[[2, 0]])


def test_columns_are_read_one_at_a_time() -> None:
    own = columns()
    assert len(own) == 4
    for j, column in enumerate(own):
        np.testing.assert_array_equal(column.values, DENSE[:, j])
        assert (column.lower, column.upper) == (DENSE[:, j].min(), DENSE[:, j].max())
        assert (column.kind, column.n_missing) == ("numeric", 0)
    assert [column.name for column in own[1:3]] == ["b", "c"]
    assert own[-1].name == "d"
    assert own.places == {"a": 0, "b": 1, "c": 2, "d": 3}
    np.testing.assert_array_equal(own.table.whole, [True, False, True, True])


def test_bools_and_whole_numbers_are_numbers() -> None:
    for dtype in (bool, np.uint8, np.int32):
        X = (DENSE > 0).astype(dtype)
        own = columns(X)
        np.testing.assert_array_equal(own[1].values, X[:, 1])
        assert own[1].integer
        assert own.table.whole.all()


def test_features_are_named() -> None:
    own = columns()
    (feature,) = select_features(own, "b")
    np.testing.assert_array_equal(feature.values(), DENSE[:, 1])
    assert [f.name for f in select_features(own, [3, "a", feature])] == ["d", "a", "b"]
    by_name = features_by_name(own)
    assert (len(by_name), list(by_name), "b" in by_name, "x" in by_name) == (4, ["a", "b", "c", "d"], True, False)
    assert default_features(own) == ((), (("4 columns", "of a sparse matrix; ask for some by name"),))
    assert are_sparse(own)


@pytest.mark.parametrize(
    ("features", "error", "words"),
    [
        (None, InputError, "features of a sparse matrix must be named; got none for 4 columns"),
        ("bb", UnknownName, "no feature 'bb'"),
        (7, UnknownName, "numbered 0 to 3; got 7"),
        ([], InputError, "At least one feature"),
        ([True], InputTypeError, "by name or position"),
    ],
)
def test_features_that_are_none(features: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        select_features(columns(), features)


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (sparse.csr_array(DENSE + 1j), InputTypeError, "real numbers; got dtype complex128"),
        (sparse.csr_array([[1.0, np.nan], [np.inf, 0.0]]), InputError, "2 of 3 stored ones are missing or infinite"),
        (sparse.coo_array(np.ones(3)), InputError, "two dimensions"),
    ],
)
def test_what_is_refused(X: object, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        read_rows(X)


def test_what_takes_dense_rows_says_so() -> None:
    check_dense((), "Images take")
    with pytest.raises(InputError, match=r"Images take rows in a frame or a dense array; got a csr_array of shape"):
        check_dense(columns(), "Images take")


@pytest.mark.parametrize("size", [1e200, -1e71, 1e-310])
def test_sizes_whose_powers_are_none_are_refused(size):
    with pytest.raises(InputError, match="must be 0 or lie between"):
        read_sparse(sparse.csr_array(np.array([[0.0, 1.0], [size, 2.0]])))
