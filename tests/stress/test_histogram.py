import numpy as np
import pytest

from tauscope.stress.histogram import stressed_histogram


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


def test_extremes_keep_the_extreme_rows_alone():
    x = np.array([0.0, 0.0, 1.0, 2.0, 3.0])
    bars = stressed_histogram(x, np.array([0.0, 1.0, 2.0, 4.0]), np.array([-np.inf, np.inf]))
    np.testing.assert_array_equal(bars, [[1, 0, 0], [0, 0, 1]])


def test_large_offsets_do_not_overflow():
    x = 1e9 + np.random.default_rng(1).normal(size=500)
    bars = stressed_histogram(x, np.linspace(1e9 - 2, 1e9 + 2, 5), np.array([1.0]))
    assert np.isfinite(bars).all()
    assert bars[0, -1] > bars[0, 0]
