import numpy as np
import pytest
from hypothesis import given, strategies as st

from tauscope.stress.histogram import N_BARS, histogram_edges, stressed_histogram


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=200).filter(lambda v: min(v) < max(v)))
@pytest.mark.slow
def test_edges_ascend_over_the_bulk(values):
    values = np.array(values)
    edges = histogram_edges(values, integer=False)
    assert len(edges) == N_BARS + 1
    assert (np.diff(edges) > 0).all()
    room = 100 * np.spacing(np.abs(values).max())
    assert values.min() - room <= edges[0] < edges[-1] <= values.max() + room


@pytest.mark.slow
@given(st.lists(st.integers(-500, 500), min_size=2, max_size=200).filter(lambda v: min(v) < max(v)))
def test_whole_numbers_lie_inside_the_bins_as_many_in_each(values):
    edges = histogram_edges(np.array(values, float), integer=True)
    widths = np.diff(edges)
    assert len(edges) <= N_BARS + 1
    assert (widths == widths[0]).all()
    assert widths[0] == round(widths[0]) >= 1
    assert (np.mod(edges, 1) == 0.5).all()
    low, high = np.quantile(values, (0.005, 0.995))
    assert edges[0] < low
    assert edges[-1] > high


def test_tails_do_not_stretch_the_bins():
    values = np.r_[np.random.default_rng(0).normal(size=2000), 1e9]
    assert histogram_edges(values, integer=False)[-1] < 10


def test_almost_all_one_value_falls_back_to_the_extremes():
    values = np.r_[np.zeros(1999), 3.0]
    edges = histogram_edges(values, integer=False)
    assert (edges[0], edges[-1]) == (0, 3)


def test_missing_values_do_not_count():
    values = np.array([np.nan, 1.0, 2, 3])
    np.testing.assert_array_equal(histogram_edges(values, integer=True), [0.5, 1.5, 2.5, 3.5])


@pytest.mark.parametrize("integer", [True, False])
def test_two_values(integer):
    edges = histogram_edges(np.array([0.0, 1.0]), integer)
    assert edges[0] <= 0.005
    assert edges[-1] >= 0.995


NEAR = [
    (start * sign, n)
    for start in (0.3, 1.0, 1e-5, 1e-60, 1e10, 1e16, 12345678901234567.0, 1e60)
    for sign in (1, -1)
    for n in (2, 3, 30, 200)
]


@pytest.mark.parametrize(("start", "n"), NEAR)
def test_a_range_of_fewer_floats_than_bins_has_edges_all_the_same(start, n):
    values = np.full(n, start)
    for i in range(1, n):
        values[i] = np.nextafter(values[i - 1], np.inf)
    for integer in {False, start % 1 == 0}:
        edges = histogram_edges(values, integer)
        assert (np.diff(edges) > 0).all()
        assert edges[0] <= values[1 if n > 100 else 0]
        assert edges[-1] >= values[-2 if n > 100 else -1]
        inside = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
        expected = np.bincount(inside, minlength=len(edges) - 1) / n
        np.testing.assert_allclose(stressed_histogram(values, edges, np.array([0.0]))[0], expected, rtol=1e-12)
