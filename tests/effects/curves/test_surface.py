import numpy as np
import pytest
from scipy import stats

from effects.models import Counting, data, linear, smooth
from tauscope.effects import BatchOptions, Interval, accumulated_surface, custom_grid, numeric_grid
from tauscope.errors import InputError

X = data(300)
WEIGHTS = np.random.default_rng(1).exponential(size=len(X))
GRIDS = (numeric_grid(X[:, 0], 6), numeric_grid(X[:, 1], 5))


def brute(predict, X, weights):
    """The surface by definition, cell by cell and row by row: (q, G1, G2)."""
    a, b = (grid.values for grid in GRIDS)
    k = np.maximum(np.searchsorted(a, X[:, 0]) - 1, 0)
    m = np.maximum(np.searchsorted(b, X[:, 1]) - 1, 0)
    u, v = (X[:, 0] - a[k]) / (a[k + 1] - a[k]), (X[:, 1] - b[m]) / (b[m + 1] - b[m])

    def at(x, z):
        copy = X.copy()
        copy[:, 0], copy[:, 1] = x, z
        return np.asarray(predict(copy)).reshape(len(X), -1)

    change = at(a[k + 1], b[m + 1]) - at(a[k], b[m + 1]) - at(a[k + 1], b[m]) + at(a[k], b[m])
    out = []
    for response in change.T:
        cells = np.zeros((len(a) - 1, len(b) - 1))
        for i, j in np.ndindex(*cells.shape):
            inside = (k == i) & (m == j)
            if inside.any():
                cells[i, j] = np.average(response[inside], weights=weights[inside])
        H = np.zeros((len(a), len(b)))
        H[1:, 1:] = cells.cumsum(0).cumsum(1)
        first, second = np.zeros(len(a)), np.zeros(len(b))
        for i in range(len(a) - 1):
            rows = k == i
            jump = (1 - v) * (H[k + 1, m] - H[k, m]) + v * (H[k + 1, m + 1] - H[k, m + 1])
            first[i + 1] = first[i] + np.average(jump[rows], weights=weights[rows])
        for j in range(len(b) - 1):
            rows = m == j
            jump = (1 - u) * (H[k, m + 1] - H[k, m]) + u * (H[k + 1, m + 1] - H[k + 1, m])
            second[j + 1] = second[j] + np.average(jump[rows], weights=weights[rows])
        H = H - first[:, None] - second
        corners = (1 - u) * (1 - v) * H[k, m] + u * (1 - v) * H[k + 1, m]
        corners += (1 - u) * v * H[k, m + 1] + u * v * H[k + 1, m + 1]
        out.append(H - np.average(corners, weights=weights))
    return np.array(out)


@pytest.mark.parametrize("weights", [np.ones(300), WEIGHTS])
def test_by_definition(weights):
    model = Counting(smooth)
    found = accumulated_surface(model, X, (0, 1), GRIDS, sample_weight=weights)
    assert np.allclose(found.effect, brute(smooth, X, weights), atol=1e-12)
    assert found.n_model_rows == model.rows == 4 * 300
    assert found.n.sum() == 300
    assert found.kind == "ale"


def test_an_additive_model_has_no_interaction():
    assert np.allclose(accumulated_surface(linear, X, (0, 1), GRIDS).effect, 0, atol=1e-12)


def test_a_product_of_independent_features():
    random = np.random.default_rng(0)
    flat = random.uniform(-1, 1, size=(20_000, 2))
    grids = (custom_grid(np.linspace(-1, 1, 9), flat[:, 0]), custom_grid(np.linspace(-1, 1, 9), flat[:, 1]))
    grids = tuple(
        custom_grid(np.append(g.values, [flat[:, c].min(), flat[:, c].max()]), flat[:, c]) for c, g in enumerate(grids)
    )
    found = accumulated_surface(lambda rows: rows[:, 0] * rows[:, 1], flat, (0, 1), grids)
    expected = np.outer(*(g.values for g in found.grids))
    assert np.allclose(found.effect[0], expected, atol=0.03)


@pytest.mark.parametrize("interval", [Interval(), Interval("bootstrap", replicates=20, random_state=3)])
def test_reweighting_equals_a_fresh_run(interval):
    fresh = accumulated_surface(smooth, X, (0, 1), GRIDS, sample_weight=WEIGHTS, interval=interval)
    moved = accumulated_surface(smooth, X, (0, 1), GRIDS, interval=interval).reweighted(WEIGHTS)
    for name in ("effect", "lower", "upper", "mass"):
        assert np.allclose(getattr(moved, name), getattr(fresh, name), rtol=0, atol=1e-12), name
    assert moved.reweighted(WEIGHTS, Interval(confidence=0.5)).interval.confidence == 0.5


@pytest.mark.slow
def test_intervals_agree():
    drawn = accumulated_surface(
        smooth, X, (0, 1), GRIDS, interval=Interval("bootstrap", replicates=800, random_state=0)
    )
    analytic = accumulated_surface(smooth, X, (0, 1), GRIDS)
    width = analytic.upper - analytic.lower
    ratio = (drawn.upper - drawn.lower) / np.where(width > 0, width, np.nan)
    assert 0.7 < np.nanmedian(ratio) < 1.3


@pytest.mark.slow
def test_the_variance_is_that_of_every_rows_weight():
    # the infinitesimal jackknife: what a little more weight on a row does to the surface, its main effects and mean
    rows = data(900, seed=4)
    grids = tuple(custom_grid([-4, -0.5, 0.5, 4], rows[:, column]) for column in (0, 1))
    whole = accumulated_surface(smooth, rows, (0, 1), grids)
    moved = []
    for row in range(len(rows)):
        weights = np.ones(len(rows))
        weights[row] += 1e-4
        moved.append((whole.reweighted(weights).effect - whole.effect) / 1e-4)
    half = stats.t.ppf(0.975, len(rows) - 9) * np.sqrt(np.square(moved).sum(axis=0))
    assert whole.upper - whole.effect == pytest.approx(half, rel=0.03)


def test_blocks_do_not_change_the_interval(monkeypatch):
    whole = accumulated_surface(smooth, X, (0, 1), GRIDS)
    monkeypatch.setattr("tauscope.effects.curves.surface.BLOCK", 7 * 30)
    assert np.allclose(accumulated_surface(smooth, X, (0, 1), GRIDS).lower, whole.lower, atol=1e-12)


def test_rows_alike_and_rows_outside():
    doubled = np.concatenate([X, X[::-1]])
    twice = accumulated_surface(smooth, doubled, (0, 1), GRIDS)
    assert twice.n_model_rows == 1200
    assert np.allclose(twice.effect, accumulated_surface(smooth, X, (0, 1), GRIDS).effect, atol=1e-12)
    holed = X.copy()
    holed[:50, 0], holed[50:60, 1] = np.nan, 99
    part = accumulated_surface(smooth, holed, (0, 1), GRIDS)
    assert part.n.sum() == 240
    assert "60 of 300 rows have no value" in part.notes[0]
    assert np.isnan(part.positions[:, :60]).all()


def test_empty_cells_and_stopped_runs_are_said():
    grids = (numeric_grid(X[:, 0], 30), numeric_grid(X[:, 1], 30))
    assert "cells have no row" in accumulated_surface(smooth, X, (0, 1), grids).notes[-1]
    batches = BatchOptions(batch_rows=200, progress=lambda done, total: done >= 400)
    part = accumulated_surface(smooth, X, (0, 1), GRIDS, batches=batches)
    assert (part.status, part.n_done, part.n_total) == ("stopped", 100, 300)
    assert part.n.sum() == 100


def test_bad_requests_are_said():
    with pytest.raises(InputError, match="a surface is of two features"):
        accumulated_surface(smooth, X, (0,), GRIDS)
