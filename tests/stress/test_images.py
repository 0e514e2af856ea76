"""Pixels counted once, against the curves of the same columns read row by row."""

import numpy as np
import pytest

from tauscope.stress.curves import stress_curves
from tauscope.stress.images import PixelCounts, image_curves
from tauscope.stress.metrics import choose, define_quantities
from tauscope.stress.outcomes import Outcomes

TAUS = np.array([-1, -0.5, 0, 0.3, 1])
FIELDS = (
    "target", "multiplier", "value", "error", "lower", "upper", "ess", "pareto_k", "kl", "tv", "reached", "mean",
    "reason", "amount",
)  # fmt: skip


def images(n=1200, p=14, q=10, seed=0):
    """Mostly black pixels; a constant one, one that hardly varies, a bright one, an even one."""
    rng = np.random.default_rng(seed)
    pixels = np.where(rng.random((n, p)) < 0.8, 0, rng.integers(1, 256, (n, p))).astype(np.uint8)
    pixels[:, 0] = 0
    pixels[:, 1] = np.where(rng.random(n) < 0.004, 9, 7)
    pixels[:, 2] = rng.integers(0, 256, n)
    pixels[:, 3] = np.where(rng.random(n) < 0.9, 255, pixels[:, 3])
    predicted = (pixels[:, 4:9].astype(int).sum(1) // 60) % q
    truth = np.where(rng.random(n) < 0.8, predicted, rng.integers(0, q, n))
    names = tuple(str(k) for k in range(q))
    return pixels, Outcomes("binary" if q == 2 else "multiclass", predicted, truth, None, names)


def counted(pixels, outcomes, chunk=500, levels=None):
    quantities, available = define_quantities(outcomes)
    counts = PixelCounts(pixels.shape[1], quantities.n_cells, np.arange(256.0) if levels is None else levels)
    for start in range(0, len(pixels), chunk):
        counts.add(pixels[start : start + chunk], quantities.cell[start : start + chunk])
    return counts, choose(available, None)


@pytest.mark.parametrize("q", [2, 10])
@pytest.mark.parametrize("quantile", [0.05, 0.2])
def test_counts_answer_as_the_rows_do(q, quantile):
    pixels, outcomes = images(q=q)
    counts, metrics = counted(pixels, outcomes)
    varies = counts.varies
    assert varies.tolist() == [False] + [True] * 13
    curves = image_curves(counts, metrics, taus=TAUS, quantile=quantile, confidence=0.9)
    columns = [pixels[:, j].astype(float) for j in np.flatnonzero(varies)]
    rows = stress_curves(columns, outcomes, taus=TAUS, quantile=quantile, confidence=0.9)
    for name in FIELDS:
        np.testing.assert_allclose(
            getattr(curves, name)[varies], getattr(rows, name), rtol=1e-9, atol=1e-11, err_msg=name
        )
    assert np.isnan(curves.value[0]).all()
    assert np.isnan(curves.target[0]).all()
    assert curves.mean[0] == 0


@pytest.mark.parametrize("chunk", [1, 7, 500, 5000])
def test_chunks_of_any_size_give_the_same_counts(chunk):
    pixels, outcomes = images(n=300)
    whole, _ = counted(pixels, outcomes, chunk=10_000)
    parts, _ = counted(pixels, outcomes, chunk=chunk)
    np.testing.assert_array_equal(whole.counts, parts.counts)
    assert parts.n_rows == 300
    for value in (0, 17):
        np.testing.assert_array_equal(parts.counts[:, :, value].sum(1), (pixels == value).sum(0))


def test_more_rows_than_one_block_holds():
    pixels, outcomes = images(n=20_000, p=20, q=2)
    counts, _ = counted(pixels, outcomes, chunk=20_000)
    expected = [np.bincount(pixels[:, j], minlength=256) for j in range(20)]
    np.testing.assert_array_equal(counts.counts.sum(1), expected)


def test_other_levels_than_whole_numbers():
    pixels, outcomes = images()
    levels = np.linspace(0, 1, 256)
    counts, metrics = counted(pixels, outcomes, levels=levels)
    curves = image_curves(counts, metrics, taus=TAUS)
    plain = image_curves(counted(pixels, outcomes)[0], metrics, taus=TAUS)
    np.testing.assert_allclose(curves.value, plain.value, atol=1e-9)
    np.testing.assert_allclose(curves.target * 255, plain.target, atol=1e-9)


def test_outcomes_that_come_later_find_room():
    counts = PixelCounts(1, 2, np.arange(3.0))
    counts.add(np.array([[0], [2]], np.uint8), np.array([0, 1]))
    counts.grow(np.array([0, 2]), 3)
    counts.add(np.array([[1]], np.uint8), np.array([1]))
    assert counts.counts[0].tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_blocks_of_pixels_can_be_followed():
    seen = []

    def each(starts):
        for start in starts:
            seen.append(start)
            yield start

    pixels, outcomes = images(n=200)
    counts, metrics = counted(pixels, outcomes)
    image_curves(counts, metrics, taus=np.array([0.0, 1.0]), each=each)
    assert seen == [0]
