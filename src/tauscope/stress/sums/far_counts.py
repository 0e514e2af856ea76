"""Values far off in rows that come in chunks: `tauscope.stress.column.far_values` by one pass, where there are any."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tauscope.stress.bins.quantile_sketch import QuantileSketch
from tauscope.stress.column.far_values import FarValues, lies_far, sample_counted, typical_distance
from tauscope.stress.sums.chunk import CountedRows, MapReduce, RowChunk


@dataclass(frozen=True)
class _Side:
    """Rows far off on one side, to be added.

    Attributes
    ----------
    n_rows : int
    values : frozenset of float
        Two different values of them at most.
    """

    n_rows: int
    values: frozenset[float]


_Counts = dict[tuple[str, int], _Side]


def find_chunked_far_values(ranks: Mapping[str, QuantileSketch], total: MapReduce) -> dict[str, tuple[FarValues, ...]]:
    """Find the features of which a mean is that of a few values; without a pass where there is none.

    Parameters
    ----------
    ranks : mapping of str to QuantileSketch
    total : MapReduce
    """
    asked: dict[tuple[str, int], tuple[float, float]] = {}
    extremes: dict[tuple[str, int], float] = {}
    for name, sketch in ranks.items():
        if not len(sketch.low):
            continue
        middle, typical = typical_distance(sample_counted(sketch.means, sketch.count))
        for sign, extreme in ((-1, float(sketch.low[0])), (1, float(sketch.high[-1]))):
            if lies_far(extreme, middle, typical, sign):
                asked[name, sign], extremes[name, sign] = (middle, typical), extreme
    counts: _Counts = total(_count_far, asked, plus=_add_counts) if asked else {}
    found: dict[str, tuple[FarValues, ...]] = {}
    for (name, sign), side in counts.items():
        far = FarValues(extremes[name, sign], side.n_rows, len(side.values))
        found[name] = (*found.get(name, ()), far)
    return found


def _count_far(chunk: RowChunk, asked: Mapping[tuple[str, int], tuple[float, float]]) -> _Counts:
    rows = CountedRows.of(chunk).rows
    out: _Counts = {}
    for (name, sign), (middle, typical) in asked.items():
        values = chunk.values(name)[rows]
        far = values[lies_far(values, middle, typical, sign)]
        ends = frozenset({float(far.min()), float(far.max())}) if len(far) else frozenset[float]()
        out[name, sign] = _Side(int(np.size(far)), ends)
    return out


def _add_counts(a: _Counts, b: _Counts) -> _Counts:
    return {key: _Side(a[key].n_rows + b[key].n_rows, _ends(a[key].values | b[key].values)) for key in a}


def _ends(values: frozenset[float]) -> frozenset[float]:
    return frozenset({min(values), max(values)}) if values else values
