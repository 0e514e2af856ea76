import numpy as np
import pytest

from tauscope.data.columns import Column, numbered_place
from tauscope.errors import UnknownName


def numeric(numbers):
    return Column("a", "numeric", numbers=numbers, lower=np.nanmin(numbers), upper=np.nanmax(numbers))


def test_values_are_float64_and_share_memory_where_they_can():
    held = np.array([1.0, np.nan, 3.0])
    column = numeric(held)
    assert np.shares_memory(column.values, held)
    assert numeric(np.array([1, 2, 3], dtype=np.uint8)).values.dtype == np.float64
    assert Column("s", "categorical", codes=np.array([0], dtype=np.int32), levels=("F",)).values is None


@pytest.mark.parametrize(
    ("numbers", "whole"),
    [
        (np.array([1, 2], dtype=np.int16), True),
        (np.array([1.0, np.nan, -3.0]), True),
        (np.array([1.0, 2.5]), False),
        (np.append(np.ones(5000), 0.5), False),
        (np.array([1.0, 2.0], dtype=np.float32), True),
    ],
)
def test_integer_looks_at_every_observed_number(numbers, whole):
    assert numeric(numbers).integer is whole


def test_integer_is_false_where_nothing_is_observed():
    assert not Column("a", "numeric", numbers=np.array([np.nan])).integer


def test_rows_and_level_counts():
    column = Column("s", "categorical", codes=np.array([0, 2, -1, 2], dtype=np.int32), levels=("a", "b", "c"))
    assert column.n_rows == 4
    assert column.level_counts().tolist() == [1, 0, 2]
    assert column.level_counts(np.array([0.5, 1, 1, 1.5])).tolist() == [0.5, 0, 2.5]
    assert numeric(np.array([1.0, 2.0])).n_rows == 2
    assert numeric(np.array([1.0, 2.0])).level_counts().tolist() == []


@pytest.mark.parametrize(
    ("names", "number", "place"),
    [
        (("2", "0", "1"), 2, 0),
        (("2", "0", "1"), np.int64(0), 1),
        (("a", "0", "b"), 0, 1),
        (("a", "0", "b"), 2, 2),
        (("x", "y"), np.uint8(1), 1),
        (("-1", "0"), -1, 0),
    ],
)
def test_a_whole_number_is_a_name_before_it_is_a_position(names, number, place):
    assert numbered_place(number, names) == place


@pytest.mark.parametrize(
    ("names", "number", "says"),
    [
        (("2", "5", "1"), 0, "no column '0'. There are: '2', '5', '1'"),
        (("a", "b"), 2, "numbered 0 to 1; got 2"),
        (("a", "b"), -1, "numbered 0 to 1; got -1"),
    ],
)
def test_a_whole_number_is_never_a_guess(names, number, says):
    with pytest.raises(UnknownName, match=says):
        numbered_place(number, names)
