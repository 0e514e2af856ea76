"""Columns read in chunks as a sketch reads them, for the tests of its steps."""

from functools import reduce
from operator import add

import numpy as np

from tauscope.stress.bins.binned_rows import sum_rows
from tauscope.stress.bins.layout import lay_out
from tauscope.stress.bins.order_range import interpolate_quantile, order_intervals, order_range
from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.bins.quantile_windows import QuantileWindow, value_at
from tauscope.stress.bins.range_errors import add_slopes
from tauscope.stress.column.sketch import Scale
from tauscope.stress.column.target import quantile_rank
from tauscope.stress.histogram import TAIL, bar_edges
from tauscope.stress.metrics import define_quantities, measure_units

COLUMNS = {
    "normal": lambda rng, n: rng.normal(50, 7, n),
    "sorted": lambda rng, n: np.sort(rng.normal(size=n)),
    "exponential": lambda rng, n: rng.exponential(3, n),
    "lognormal": lambda rng, n: rng.lognormal(0, 2, n),
    "zero-inflated": lambda rng, n: np.where(rng.random(n) < 0.6, 0.0, rng.lognormal(1, 1, n)),
    "mostly zeros": lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.lognormal(1, 1, n)),
    "far from zero": lambda rng, n: 1e6 + rng.normal(size=n),
    "no variance": lambda rng, n: rng.standard_cauchy(n),
    "missing": lambda rng, n: np.where(rng.random(n) < 0.1, np.nan, rng.gamma(2, 1, n)),
    "rounded": lambda rng, n: np.round(rng.normal(0, 10, n), 1),
}


def row_chunks(n, n_chunks=5):
    return np.array_split(np.arange(n), n_chunks)


def lay_out_column(x, n_chunks=5, quantile=0.05):
    """Summarise a column chunk by chunk and lay it out."""
    chunks = [x[p] for p in row_chunks(len(x), n_chunks)]
    ranks = reduce(add, map(QuantileSketch.of, chunks))
    intervals = order_intervals(ranks, quantile, TAIL)
    by_chunk = [[QuantileWindow.of(np.sort(c[~np.isnan(c)]), *ends) for ends in intervals] for c in chunks]
    windows = [reduce(add, of_interval) for of_interval in zip(*by_chunk, strict=True)]
    low, high, n = ranks.low[0], ranks.high[-1], ranks.n

    def at(rank):
        return value_at(windows, rank, low, high, n)

    around = order_range(n, ranks.mean, low, high, at, quantile)
    edges = bar_edges(interpolate_quantile(n, TAIL, at), interpolate_quantile(n, 1 - TAIL, at), ranks.whole)
    steep = add_slopes(around, n, lambda level: at(quantile_rank(n, level)))
    return lay_out(ranks, around, Scale.about(steep, ranks.sd), intervals, edges)


def sum_column(x, outcomes, layout, n_chunks=5):
    """Sum a column chunk by chunk, in the units of the first chunk."""
    chunks = row_chunks(len(x), n_chunks)
    units = measure_units(outcomes.take(chunks[0]))
    sums = [sum_rows(x[p], define_quantities(outcomes.take(p), units)[0], layout) for p in chunks]
    return reduce(add, sums), units
