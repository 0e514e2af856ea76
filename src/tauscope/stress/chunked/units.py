"""Sums in other units: chunks are summed before anyone knows the mean and spread of all answers."""

from dataclasses import replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.chunked.binned import BinnedSums, End
from tauscope.stress.chunked.value_counts import ValueCounts
from tauscope.stress.metrics import Quantities, Units

Array = NDArray[np.float64]


def units_of(totals: Array, quantities: Quantities, units: Units) -> Units:
    """Return the units that the rows themselves would have given, from the sums over all of them.

    Parameters
    ----------
    totals : ndarray of shape (Q,)
    quantities : Quantities
        Of any rows, for what the sums are.
    units : Units
        Those of the sums.
    """
    n, at = float(totals[0]), 1 + quantities.n_cells  # as the rows give them: whatever they weigh
    if not quantities.powers:
        return units
    mean = float(totals[at]) / n
    variance = max(float(totals[at + 1]) / n - mean**2, 0.0)
    spread = units.spread
    if len(quantities.powers) > 1:
        spread *= float(np.sqrt(totals[at + 4] / n)) or 1.0
    return Units(units.centre + units.scale * mean, units.scale * float(np.sqrt(variance)) or 1.0, spread)


def in_units(sums: Array, quantities: Quantities, old: Units, new: Units) -> Array:
    """Return sums of shape (..., Q) in other units.

    The powers of (f - c)/s are linear in those of another centre and scale; so are those of squared errors.
    """
    out = sums.copy()
    if not quantities.powers:
        return out
    at = 1 + quantities.n_cells
    slope, shift = old.scale / new.scale, (old.centre - new.centre) / new.scale
    powers = [sums[..., 0], *(sums[..., at + j] for j in range(len(quantities.powers[0].degrees)))]
    for k in range(1, len(powers)):
        out[..., at + k - 1] = sum(comb(k, j) * slope**j * shift ** (k - j) * powers[j] for j in range(k + 1))
    if len(quantities.powers) > 1:
        ratio = (old.spread / new.spread) ** 2
        out[..., at + 4] *= ratio
        out[..., at + 5] *= ratio**2
    return out


def change_units(
    sums: BinnedSums | ValueCounts, quantities: Quantities, old: Units, new: Units
) -> BinnedSums | ValueCounts:
    """Return a column's sums in other units."""

    def change(part: Array) -> Array:
        blocks = part.reshape(*part.shape[:-1], -1, quantities.n_sums)
        return in_units(blocks, quantities, old, new).reshape(part.shape)

    if isinstance(sums, ValueCounts):
        return replace(sums, sums=change(sums.sums), rest=change(sums.rest))
    low, high = sums.minimum, sums.maximum
    return replace(
        sums,
        moments=change(sums.moments),
        rest=change(sums.rest),
        minimum=End(low.value, change(low.sums)),
        maximum=End(high.value, change(high.sums)),
    )
