import numpy as np
import pytest

from tauscope.effects.curves.grids import category_grid, custom_grid, grid_notes, grid_product, numeric_grid
from tauscope.errors import InputError


def test_few_values_are_the_grid():
    grid = numeric_grid(np.array([3.0, 1, 1, 2, 3]), size=3)
    assert grid.values.tolist() == [1, 2, 3]
    assert grid.kind == "integer"
    assert grid.exact
    assert not grid.missing
    assert not grid.outside.any()


def test_quantiles_are_values_that_occur():
    x = np.random.default_rng(0).exponential(size=1000)
    grid = numeric_grid(x, 20)
    assert len(grid) == 20
    assert np.isin(grid.values, x).all()
    assert grid.values[0] == x.min()
    assert grid.values[-1] == x.max()
    assert grid.kind == "numeric"
    assert not grid.exact
    expected = np.unique(np.quantile(x, np.linspace(0, 1, 20), method="inverted_cdf"))
    assert np.array_equal(grid.values, expected)


def test_a_value_most_rows_share_leaves_points_for_the_others():
    x = np.concatenate([np.zeros(900), np.arange(1, 101)])
    grid = numeric_grid(x, 10)
    assert grid.values[0] == 0
    assert np.array_equal(grid.values[1:], np.quantile(np.arange(1, 101), np.linspace(0, 1, 9), method="inverted_cdf"))
    assert len(numeric_grid(np.repeat([0.0, 1.0, 2.0], 5), 2)) == 2


def test_equal_steps_between_percentiles():
    x = np.linspace(0, 1, 1001) ** 2
    grid = numeric_grid(x, 5, spacing="equidistant", percentiles=(0.05, 0.95))
    first, last = np.quantile(x, [0.05, 0.95], method="inverted_cdf")
    assert np.allclose(grid.values, np.linspace(first, last, 5))


def test_whole_numbers_stay_whole():
    x = np.arange(1000.0)
    assert np.array_equal(numeric_grid(x, 7, spacing="equidistant").values, np.round(np.linspace(0, 999, 7)))
    assert numeric_grid(x, 7, integer=False, spacing="equidistant").kind == "numeric"
    assert not np.all(numeric_grid(x, 7, integer=False, spacing="equidistant").values % 1 == 0)


def test_missing_is_a_level_unless_refused():
    x = np.array([1.0, 2, np.nan])
    grid = numeric_grid(x)
    assert grid.missing
    assert np.array_equal(grid.values, [1, 2, np.nan], equal_nan=True)
    assert grid.observed.tolist() == [1, 2]
    assert not numeric_grid(x, missing=False).missing


def test_levels():
    grid = category_grid(np.array([2.0, 0, np.nan, 2]))
    assert np.array_equal(grid.values, [0, 2, np.nan], equal_nan=True)
    assert grid.kind == "categorical"
    assert category_grid(np.array([2.0, 0, np.nan]), missing=False).values.tolist() == [0, 2]


def test_points_outside_are_allowed_and_flagged():
    x = np.array([0.0, 0.5, 1.5])
    grid = custom_grid([2.0, 1.0, 1.0, np.nan], x)
    assert np.array_equal(grid.values, [1, 2, np.nan], equal_nan=True)
    assert grid.outside.tolist() == [False, True, True]
    assert grid_notes([grid]) == (
        "2 of 3 grid values are points outside the observed values: there the model extrapolates",
    )
    levels = custom_grid([0, 3], np.array([0.0, 1.0]), categorical=True)
    assert levels.outside.tolist() == [False, True]
    assert "levels no row has" in grid_notes([levels])[0]
    assert custom_grid([0, 1], np.array([0.0, 1.0])).kind == "integer"
    assert custom_grid([7.0], np.full(3, 7.0)).values.tolist() == [7]
    assert custom_grid([7.0], np.full(3, np.nan)).outside.tolist() == [True]


def test_product_runs_the_last_grid_fastest():
    a, b = custom_grid([0, 1], np.arange(2.0)), custom_grid([5, 6, 7], np.arange(9.0))
    assert grid_product([a, b]).tolist() == [[0, 5], [0, 6], [0, 7], [1, 5], [1, 6], [1, 7]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: numeric_grid(np.full(5, 3.0)), "only 3 in 5 rows"),
        (lambda: numeric_grid(np.full(5, np.nan)), "no value in 5 rows"),
        (lambda: numeric_grid(np.array([1.0, np.inf])), "1 infinite of 2"),
        (lambda: numeric_grid(np.arange(9.0), 1), "size must be at least 2"),
        (lambda: numeric_grid(np.arange(9.0), percentiles=(0.9, 0.1)), "percentiles must satisfy"),
        (lambda: numeric_grid(np.arange(90.0), 9, percentiles=(0.506, 0.508)), "percentiles must leave two"),
        (lambda: numeric_grid(np.arange(90.0), 9, spacing="even"), "spacing must be"),
        (lambda: category_grid(np.zeros(4)), "at least two levels"),
        (lambda: category_grid(np.full(4, np.nan)), "at least two levels"),
        (lambda: custom_grid([], np.zeros(3)), "at least one"),
        (lambda: custom_grid([np.inf], np.zeros(3)), "finite"),
    ],
)
def test_bad_grids_are_said(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize("n", [7, 100, 101, 1000])
@pytest.mark.parametrize("size", [5, 50])
def test_quantiles_are_numpys(n, size):
    values = np.random.default_rng(n).normal(size=n)
    found = numeric_grid(values, size)
    expected = np.unique(np.quantile(values, np.linspace(0, 1, size), method="inverted_cdf"))
    if n > size:
        assert np.array_equal(found.values, expected)
    assert found.exact == (n <= size)
    part = numeric_grid(values, size, percentiles=(0.1, 0.9)).values
    assert part[0] == np.quantile(values, 0.1, method="inverted_cdf")
    assert part[-1] == np.quantile(values, 0.9, method="inverted_cdf")
