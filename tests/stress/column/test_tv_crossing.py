import numpy as np
import pytest

from tauscope.stress.column.tv_crossing import SortedRows, gain_in_bins

SPLIT = np.array([-1, 0, 2, 2, 3])
XI = np.array([0.0, -0.4, 0.3, 1.2, 2.0])
LOG_RATIO = np.array([0.0, 0.1, -0.2, 0.4, 0.0])


@pytest.mark.parametrize("weighted", [False, True])
def test_is_the_sum_over_the_rows_of_the_bin(weighted):
    rng = np.random.default_rng(0)
    chunks, expected = [], np.zeros(5)
    for lengths in ([5, 0, 9, 4], [0, 3, 1, 0]):
        z = rng.normal(size=sum(lengths))
        weight = rng.exponential(size=len(z)) if weighted else None
        ends = np.cumsum(lengths)
        chunks.append(SortedRows(z, weight, ends))
        for t in range(1, 5):
            rows = slice(ends[SPLIT[t]] - lengths[SPLIT[t]], ends[SPLIT[t]])
            gain = np.maximum(np.exp(XI[t] * z[rows] - LOG_RATIO[t]) - 1, 0)
            expected[t] += gain @ (np.ones(len(gain)) if weight is None else weight[rows])
    np.testing.assert_allclose(gain_in_bins(chunks, SPLIT, XI, LOG_RATIO), expected, atol=1e-14)


def test_is_nothing_where_no_bin_is_split():
    rows = SortedRows(np.ones(3), None, np.array([3]))
    assert gain_in_bins([rows], np.full(2, -1), np.ones(2), np.zeros(2)).tolist() == [0.0, 0.0]
