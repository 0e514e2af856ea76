"""Curves of every pixel of 8-bit images, from exact histograms that chunks of images add to.

A pixel has at most 256 values, so the rows of one value and one outcome need only be counted: every tilt, every
metric and every interval follows from the counts, and images need not be in memory together.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.column.column import TIED
from tauscope.stress.column.histogram_range import Histograms, histogram_ranges
from tauscope.stress.column.tilt import Stack, divergence, solve, tilted_sums
from tauscope.stress.curves import NOTHING, OF_METRICS, Curves, estimate_cells
from tauscope.stress.estimates import DEGREES, PowerSums, effective_size
from tauscope.stress.metrics import SummedMetric
from tauscope.stress.reliability import Support
from tauscope.weights.carriers import carriers_at_end, carriers_of_tails
from tauscope.weights.measures import divergence_ratio
from tauscope.weights.pareto import pareto_k, tail_size

Array = NDArray[np.float64]

TABLE = 8_192
"""Counters filled at once: pixels × outcomes × values that stay in a core's first caches."""
CODES = 131_072
"""Rows × pixels coded at once."""
NUMBERS = 2_000_000
"""Pixels × τ × values solved at once."""
THREADS = min(4, os.cpu_count() or 1)


class PixelCounts:
    """Rows of each value and outcome, for every pixel.

    Parameters
    ----------
    n_pixels : int
    n_cells : int
        Disjoint outcomes of a row, as `tauscope.stress.metrics.define_quantities` codes them.
    levels : ndarray of shape (n_levels,)
        The values that codes 0 … n_levels-1 stand for, ascending, at most 256.

    Attributes
    ----------
    counts : ndarray of shape (n_pixels, n_cells, n_levels), uint32
    n_rows : int
        Images added so far.
    """

    def __init__(self, n_pixels: int, n_cells: int, levels: Array) -> None:
        self.levels = levels
        self.n_rows = 0
        self.counts = np.zeros((n_pixels, n_cells, len(levels)), np.uint32)

    @property
    def n_pixels(self) -> int:
        """Number of pixels."""
        return self.counts.shape[0]

    @property
    def n_cells(self) -> int:
        """Number of outcomes."""
        return self.counts.shape[1]

    def grow(self, cells: NDArray[np.intp], n_cells: int) -> None:
        """Make room for more outcomes, the present ones moved to the given places."""
        counts = np.zeros((self.n_pixels, n_cells, len(self.levels)), np.uint32)
        counts[:, cells] = self.counts
        self.counts = counts

    def add(self, codes: NDArray[np.uint8], cell: NDArray[np.integer]) -> None:
        """Count some images.

        Parameters
        ----------
        codes : uint8 ndarray of shape (n_images, n_pixels)
            Places among the levels; read in blocks of pixels and rows.
        cell : ndarray of shape (n_images,)
            Outcome of each image.
        """
        size = self.n_cells * len(self.levels)
        width = max(1, TABLE // size)
        height = max(1, CODES // width)
        row_blocks = [slice(start, start + height) for start in range(0, len(codes), height)]
        places = len(self.levels) * (np.arange(width) * self.n_cells + cell.astype(np.intp)[:, None])

        def count(start: int) -> None:
            pixels = slice(start, min(start + width, self.n_pixels))
            n = pixels.stop - pixels.start
            total = np.zeros(n * size, np.intp)
            for rows in row_blocks:
                total += np.bincount((codes[rows, pixels] + places[rows, :n]).ravel(), minlength=n * size)
            self.counts[pixels] += total.reshape(n, self.n_cells, -1).astype(np.uint32)

        starts = range(0, self.n_pixels, width)
        if THREADS == 1 or codes.size < CODES:
            for start in starts:
                count(start)
        else:
            with ThreadPoolExecutor(THREADS) as pool:
                list(pool.map(count, starts))
        self.n_rows += len(codes)

    def merged(self, cell: NDArray[np.integer], n_cells: int) -> "PixelCounts":
        """Return the counts over coarser outcomes: `cell` names that of each present one."""
        if n_cells == self.n_cells and (cell == np.arange(n_cells)).all():
            return self
        out = PixelCounts(self.n_pixels, n_cells, self.levels)
        for present, place in enumerate(cell.tolist()):
            out.counts[:, place] += self.counts[:, present]
        out.n_rows = self.n_rows
        return out

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Whether a pixel has more than one value, shape (n_pixels,)."""
        return (self.counts.any(axis=1).sum(axis=1)) > 1


def image_curves(
    pixels: PixelCounts,
    metrics: Sequence[SummedMetric],
    *,
    taus: Array,
    quantile: float = 0.05,
    confidence: float = 0.95,
    each: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> Curves:
    """Compute every metric along τ for every pixel.

    Parameters
    ----------
    pixels : PixelCounts
    metrics : sequence of SummedMetric
        Ratios: they are of cells alone.
    taus : ndarray of shape (T,)
    quantile, confidence
        As in `tauscope.stress.curves.stress_curves`.
    each : callable
        Wraps the iteration over blocks of pixels, to show it.

    Returns
    -------
    Curves
        One row per pixel; NaN for pixels that have but one value.

    References
    ----------
    Bachoc, Gamboa, Halford, Loubes, Risser, "Explaining machine learning models using entropic variable
    projection", §4.2 and Figure 3.
    """
    p, n_taus, varies = pixels.n_pixels, len(taus), pixels.varies
    shapes = {
        name: (p, n_taus) for name in ("target", "multiplier", "ess", "pareto_k", "kl", "tv", "n_carriers", "carried")
    }
    shapes |= {name: (p, len(metrics), n_taus) for name in OF_METRICS} | {"reached": (p, 2), "mean": (p,)}
    out: dict[str, NDArray[Any]] = {
        name: np.full(shape, NOTHING.get(name, np.nan), np.int8 if name == "reason" else np.float64)
        for name, shape in shapes.items()
    }
    mass = pixels.counts.sum(axis=1, dtype=np.int64)
    out["mean"][:] = mass @ pixels.levels / max(pixels.n_rows, 1)
    varying = np.flatnonzero(varies)
    block = max(1, NUMBERS // (n_taus * len(pixels.levels)))
    for start in each(range(0, len(varying), block)):
        batch = varying[start : start + block]
        for name, values in _batch_curves(pixels, batch, mass[batch], metrics, taus, quantile, confidence).items():
            out[name][batch] = values
    out["n_missing"] = np.zeros(p, np.int64)
    assert set(out) == {field.name for field in fields(Curves)} - {"taus", "metrics"}
    return Curves(taus, tuple(metrics), **out)


def _batch_curves(
    pixels: PixelCounts,
    batch: NDArray[np.intp],
    mass: NDArray[np.int64],
    metrics: Sequence[SummedMetric],
    taus: Array,
    quantile: float,
    confidence: float,
) -> dict[str, NDArray[Any]]:
    levels, n = pixels.levels, pixels.n_rows
    histograms = Histograms(levels, mass, n)
    ranges, unit, (minimum, maximum) = histogram_ranges(histograms, quantile), histograms.sd, histograms.extremes
    mean, raw = ranges.mean, ranges.target(taus)
    # values that do not occur stand at the nearest extreme, so that the ends of a row are the pixel's own
    centres = (np.clip(levels, minimum[:, None], maximum[:, None]) - mean[:, None]) / unit[:, None]
    # a bin for each level, so that the solver of columns in bins is exact and needs no moments beyond the counts
    moments = np.empty((1, len(batch), len(levels), 1, 1 + pixels.n_cells))
    moments[0, :, :, 0, 0] = mass
    moments[0, :, :, 0, 1:] = pixels.counts[batch].transpose(0, 2, 1)
    stacked = Stack(centres, np.zeros_like(centres), centres, moments, np.zeros((1, len(batch), 1 + pixels.n_cells)))
    targets = (raw - mean[:, None]) / unit[:, None]
    extreme = np.where(raw <= minimum[:, None], -1, np.where(raw >= maximum[:, None], 1, 0)).astype(np.int8)
    targets = np.where(extreme < 0, centres[:, :1], np.where(extreme > 0, centres[:, -1:], targets))
    tilt = solve(stacked, targets, extreme)
    no_rest = np.zeros((*targets.shape, 1 + pixels.n_cells))
    first, second, third, fourth = tilted_sums(stacked, tilt, targets, DEGREES)
    sums = PowerSums(first, second, third, fourth, (no_rest, no_rest, no_rest))
    kl, tv, _ = divergence(stacked, tilt, targets)
    ess = effective_size(sums)
    k, carriers = _read_tails(centres, histograms.rank, tilt.xi, tilt.log_norm, tv, ess)
    beyond = _count_beyond(centres, histograms.rank, targets, taus)
    support = Support(beyond, ranges.in_doubt(taus), k, divergence_ratio(kl, tv))
    target_variance = (ranges.target_error(taus) / unit[:, None]) ** 2
    return estimate_cells(metrics, sums, support, target_variance, taus == 0, confidence, n) | {
        "target": raw,
        "multiplier": tilt.xi / unit[:, None],
        "ess": ess,
        "pareto_k": k,
        "kl": kl,
        "tv": tv,
        "n_carriers": carriers[0],
        "carried": carriers[1],
        "reached": ranges.reached,
    }


def _count_beyond(centres: Array, rank: NDArray[np.int64], targets: Array, taus: Array) -> Array:
    """Count the rows at each target or beyond it, ∞ where nothing moves."""
    sign = np.where(taus > 0, 1, -1)
    at = targets - TIED * sign * np.maximum(1.0, np.abs(targets))
    out = np.empty(targets.shape)
    for f, (of_column, ascending) in enumerate(zip(at, centres, strict=True)):
        up_to = np.concatenate([[0], rank[f]])
        out[f] = up_to[np.searchsorted(ascending, of_column, side="right")]
    return np.where(taus == 0, np.inf, np.where(taus > 0, rank[:, -1:] - out, out))


def _read_tails(
    centres: Array, rank: NDArray[np.int64], xi: Array, log_norm: Array, tv: Array, ess: Array
) -> tuple[Array, Array]:
    """Return Pareto k̂ of every pixel and tilt, 0 at extremes, where the weights that are left agree.

    With them the few rows that carry each tilt, their number and share in an array of shape (2, F, T).
    """
    n = int(rank[0, -1])
    m = min(tail_size(n), n - 1)
    places: NDArray[np.int64] = np.arange(m, -1, -1, dtype=np.int64)
    from_top: NDArray[np.int64] = np.subtract(n - 1, places)
    finite = np.where(np.isfinite(xi), xi, 0.0)
    excess, cut = np.empty((*xi.shape, m)), np.empty(xi.shape)
    for f in range(len(centres)):
        up: Array = centres[f, np.searchsorted(rank[f], from_top, side="right")]
        down: Array = centres[f, np.searchsorted(rank[f], places, side="right")]
        slope = finite[f, :, None]
        excess[f] = np.where(slope < 0, slope * (down[1:] - down[0]), slope * (up[1:] - up[0]))
        at_cut: Array = np.where(finite[f] < 0, float(down[0]), float(up[0]))
        cut[f] = np.exp(np.minimum(finite[f] * at_cut - log_norm[f], 0.0))
    carriers = np.zeros((2, *xi.shape))
    for f in range(len(centres)):
        inside, at_end = carriers_of_tails(excess[f], cut[f], tv[f], n), carriers_at_end(ess[f], n)
        carriers[:, f] = np.where(np.isfinite(xi[f]), inside, at_end)
    return pareto_k(excess, cut, before=1 / n), carriers
