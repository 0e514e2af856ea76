import numpy as np
import pytest

from tauscope.stress.histogram import drawn_bars, histogram_edges, stressed_histogram


def by_definition(x, edges, xi, v):
    inside = np.clip(x, edges[0], np.nextafter(edges[-1], -np.inf))
    w = v * np.exp(xi * (x - x.mean()))
    return np.histogram(inside, edges, weights=w)[0] / w.sum()


@pytest.mark.parametrize("weighted", [False, True])
def test_bars_are_the_weighted_shares(weighted):
    rng = np.random.default_rng(0)
    x = rng.exponential(size=20_000)
    v = rng.random(20_000) if weighted else None
    edges = np.linspace(0.05, 4, 25)
    xi = np.array([-3.0, 0.0, 0.6])
    bars = stressed_histogram(np.append(x, np.nan), edges, xi, None if v is None else np.append(v, 1.0))
    assert bars.shape == (3, 24)
    np.testing.assert_allclose(bars.sum(1), 1)
    for t in range(3):
        np.testing.assert_allclose(
            bars[t], by_definition(x, edges, xi[t], np.ones(20_000) if v is None else v), atol=2e-5
        )


@pytest.mark.parametrize(
    "edges",
    [np.linspace(-0.9, 1.5, 25), np.linspace(-0.7, 0.7, 11), np.array([-1.0, -0.2, 0.1, 2.0]), np.arange(-3.5, 4)],
)
def test_values_on_an_edge_are_in_the_bar_above(edges):
    x = np.round(np.random.default_rng(0).normal(size=20_000), 1)
    x = np.concatenate([x, edges, np.nextafter(edges, -9), np.nextafter(edges, 9)])
    expected = np.bincount(np.clip(np.searchsorted(edges, x, side="right") - 1, 0, len(edges) - 2))
    bars = stressed_histogram(x, edges, np.array([0.0]))
    np.testing.assert_allclose(bars[0], expected / len(x), rtol=1e-12)


def test_extremes_keep_the_extreme_rows_alone():
    x = np.array([0.0, 0.0, 1.0, 2.0, 3.0])
    bars = stressed_histogram(x, np.array([0.0, 1.0, 2.0, 4.0]), np.array([-np.inf, np.inf]))
    np.testing.assert_array_equal(bars, [[1, 0, 0], [0, 0, 1]])


def test_large_offsets_do_not_overflow():
    x = 1e9 + np.random.default_rng(1).normal(size=500)
    bars = stressed_histogram(x, np.linspace(1e9 - 2, 1e9 + 2, 5), np.array([1.0]))
    assert np.isfinite(bars).all()
    assert bars[0, -1] > bars[0, 0]


@pytest.mark.parametrize(
    ("extremes", "expected", "open_ends"),
    [
        ((17.0, 90.0), [16.5, 36.5, 56.5, 90.0], (False, True)),
        ((16.5, 76.5), [16.5, 36.5, 56.5, 76.5], (False, False)),
        ((0.0, 1e18), [1.5, 36.5, 56.5, 91.5], (True, True)),
    ],
)
def test_an_end_bar_reaches_as_far_as_what_it_holds(extremes, expected, open_ends):
    drawn = drawn_bars(np.array([16.5, 36.5, 56.5, 76.5]), extremes)
    np.testing.assert_allclose(drawn.edges, expected)
    assert (drawn.open_low, drawn.open_high) == open_ends


def test_an_open_bar_claims_no_peak():
    age = np.concatenate([np.random.default_rng(2).uniform(20, 60, 2000), np.linspace(60, 90, 40)])
    edges = histogram_edges(age, integer=False)
    shares = stressed_histogram(age, edges, np.array([0.0, 0.06]))
    true = np.histogram(age, np.linspace(20, 90, 36), density=True)[0].max()
    heights = shares[0] / np.diff(drawn_bars(edges, (20.0, 90.0)).edges)
    assert heights[-1] < heights[:-1].max() < 1.3 * true
    stressed = shares[1] / np.diff(drawn_bars(edges, (20.0, 90.0)).edges)
    assert shares[1][-1] > 2 * shares[1][-2]
    assert stressed[-1] < 2 * stressed[-2]


@pytest.mark.parametrize("column", [10**15 + np.arange(60) % 7, 2**62 + 1024 * (np.arange(60) % 50)])
def test_whole_numbers_far_from_0_are_drawn_without_a_warning(column):
    values = column.astype(np.float64)
    edges = histogram_edges(values, integer=True)
    shares = stressed_histogram(values, edges, np.array([0.0]))
    assert np.all(np.diff(edges) > 0)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(shares[0], np.histogram(values, edges)[0] / 60, atol=0.1)
