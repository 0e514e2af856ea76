"""From sums over rows that are gone to a column as the curves read it: nothing downstream knows the difference."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.chunks.binned import Binned
from tauscope.stress.chunks.pieces import Pieces
from tauscope.stress.chunks.tallied import Tallied
from tauscope.stress.chunks.windows import value_at
from tauscope.stress.column.column import Column, Ordered
from tauscope.stress.column.direct import Rows
from tauscope.stress.column.ranked import ranked_range
from tauscope.stress.column.sketch import Bins, MomentSketch, Scale
from tauscope.stress.column.target import TauRange
from tauscope.stress.indices import Quantities
from tauscope.stress.tail import tail_size

Array = NDArray[np.float64]

_NO_ROWS = Rows(np.zeros(0), Quantities(np.zeros(0, np.uint8), 1, ()), Scale(0.0, 1.0), None)


@dataclass(frozen=True)
class SketchedColumn(Column):
    """A column in bins whose rows are known by their sums alone."""

    def crossing_gain(self, split: NDArray[np.intp], xi: Array, log_norm: Array) -> Array:
        """See `Column`."""
        pieces = self.rows
        assert isinstance(pieces, Pieces)
        return np.array(
            [pieces.gain_in_bin(int(b), float(x), float(z)) for b, x, z in zip(split, xi, log_norm, strict=True)]
        )


def binned_column(sums: Binned, quantities: Quantities, alpha: float) -> Column:
    """Return a column of many different values.

    Parameters
    ----------
    sums : Binned
    quantities : Quantities
        Of any rows, for what the sums are.
    alpha : float

    Raises
    ------
    InputError
        Where q(α) lies where the layout keeps no values, since the rows are of another kind.
    """
    layout, n = sums.layout, sums.n
    minimum, maximum = sums.minimum.value, sums.maximum.value
    first = sums.moments[:2, :, 0]
    mean = layout.scale.centre + layout.scale.unit * float(np.sum(layout.centres * first[0] + first[1])) / n

    def at(rank: int) -> float:
        return value_at(sums.windows, rank, minimum, maximum, n)

    around = ranked_range(n, mean, minimum, maximum, at, alpha)
    if n == layout.n_rows:
        around = TauRange(around.low, layout.around.mean, around.high, around.reached, minimum, maximum)
    m = min(tail_size(n), n - 1)
    ordered = Ordered((around.low, around.high), sums.lowest[: m + 1], sums.highest[-m - 1 :])
    return SketchedColumn(around, layout.scale, sums.in_bins(quantities), ordered, Pieces(sums), None, sums.n_missing)


def tallied_column(sums: Tallied, alpha: float) -> Column:
    """Return a column of few different values; parameters as in `binned_column`."""
    kept = sums.sums[:, 0] > 0
    values, of_values = sums.values[kept], sums.sums[kept]
    counts = of_values[:, 0]
    n, low, high = int(counts.sum()), float(values[0]), float(values[-1])
    ends = np.cumsum(counts)

    def at(rank: int) -> float:
        return float(values[np.searchsorted(ends, rank, side="right")])

    mean = low + float(counts @ (values - low)) / n
    mean = min(max(mean, float(np.nextafter(low, high))), float(np.nextafter(high, low)))
    around = ranked_range(n, mean, low, high, at, alpha)
    reach = max(high - mean, mean - low)
    scale = Scale(mean, reach * float(np.sqrt(counts @ ((values - mean) / reach) ** 2 / n)))
    m = min(tail_size(n), n - 1)
    ordered = Ordered((around.low, around.high), _ends(values, counts, m + 1), _ends(values[::-1], counts[::-1], m + 1))
    bins = Bins(scale(values), np.zeros(len(values)), None)
    moments = MomentSketch(bins, of_values[None, None], sums.rest[None])
    return Column(around, scale, moments, ordered, _NO_ROWS, None, sums.n_missing)


def share_of(sums: Tallied, value: float) -> Tallied:
    """Return the indicator of one value (NaN: of having none) as a column of its own."""
    if np.isnan(value):
        return indicator(sums.rest, sums.sums.sum(0))
    at = sums.values == value
    return indicator(sums.sums[at].sum(0), sums.sums[~at].sum(0) + sums.rest)


def indicator(inside: Array, outside: Array) -> Tallied:
    """Return the column that is 1 for some rows and 0 for the others, from the sums over both."""
    return Tallied(np.array([0.0, 1.0]), np.stack([outside, inside]), np.zeros_like(inside))


def _ends(values: Array, counts: Array, m: int) -> Array:
    """Return the m first values of an ordered tally, ascending."""
    needed = int(np.searchsorted(np.cumsum(counts), m)) + 1
    return np.sort(np.repeat(values[:needed], counts[:needed].astype(np.int64))[:m])
