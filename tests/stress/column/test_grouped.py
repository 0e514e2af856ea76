import numpy as np
import pytest

from tauscope.stress.column.grouped import count_rows, sort_rows

N_BINS = 12


@pytest.mark.parametrize("group", [count_rows, sort_rows])
@pytest.mark.parametrize(("n_rows", "n_cells"), [(2000, 1), (2000, 4), (60, 4), (1, 3)])
def test_sums_over_bins_and_cells(group, n_rows, n_cells):
    rng = np.random.default_rng(n_rows)
    code = rng.choice([0, 3, 4, 11], n_rows).astype(np.uint16)
    cell, values = rng.integers(0, n_cells, n_rows).astype(np.uint8), rng.normal(size=n_rows)
    groups = group(code, cell, N_BINS, n_cells)
    arranged = values[groups.order]
    for bin_ in range(N_BINS):
        here = code == bin_
        np.testing.assert_allclose(groups.bins.sum(arranged)[bin_], values[here].sum(), atol=1e-12)
        assert groups.bins.sum(None)[bin_] == here.sum()
        for each in range(n_cells):
            both = here & (cell == each)
            place = bin_ * n_cells + each
            np.testing.assert_allclose(groups.cells.sum(arranged)[place], values[both].sum(), atol=1e-12)
            assert groups.cells.sum(None)[place] == both.sum()


def test_sorted_rows_of_a_bin_are_beside_each_other():
    code = np.array([2, 0, 2, 1, 0, 2], np.uint16)
    groups = sort_rows(code, np.zeros(6, np.uint8), 3, 1)
    assert code[groups.order].tolist() == [0, 0, 1, 2, 2, 2]
    assert groups.bins.length.tolist() == [2, 1, 3]
