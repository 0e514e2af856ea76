"""Sums in other units: chunks are summed before the mean and standard deviation of all outputs are known."""

from collections.abc import Iterator
from dataclasses import replace
from math import comb

import numpy as np
from numpy.typing import NDArray

from tauscope.stress.bins.binned import BinnedSums, End
from tauscope.stress.bins.value_counts import ValueCounts
from tauscope.stress.metric_forms import Unit
from tauscope.stress.metrics import Power, Quantities, Units

Array = NDArray[np.float64]


def units_of(totals: Array, quantities: Quantities, units: Units) -> dict[str, Unit]:
    """Return the units that the rows themselves would have given, from the sums over all of them.

    Parameters
    ----------
    totals : ndarray of shape (Q,)
    quantities : Quantities
        Of any rows, for what the sums are.
    units : mapping of str to Unit
        Those of the sums.
    """
    n = float(totals[0])  # as the rows give them: whatever they weigh
    out: dict[str, Unit] = {}
    for power, first in _iterate_powers(quantities):
        old, mean = units[power.quantity.name], float(totals[first]) / n
        if power.quantity.squared:
            out[power.quantity.name] = Unit(0.0, old.scale * float(np.sqrt(mean)) or 1.0)
        else:
            variance = max(float(totals[first + 1]) / n - mean**2, 0.0)
            centre = old.centre + old.scale * mean
            out[power.quantity.name] = Unit(centre, old.scale * float(np.sqrt(variance)) or 1.0)
    return out


def in_units(sums: Array, quantities: Quantities, old: Units, new: Units) -> Array:
    """Return sums of shape (..., Q) in other units.

    The powers of (f - c)/s are linear in those of another centre and scale; so are those of squares, and products of a
    square with such powers.
    """
    out = sums.copy()
    for power, first in _iterate_powers(quantities):
        before, after = old[power.quantity.name], new[power.quantity.name]
        if power.quantity.squared:
            ratio = (before.scale / after.scale) ** 2
            for k in power.degrees:
                out[..., first + k - 1] *= ratio**k
        else:
            slope, shift = before.scale / after.scale, (before.centre - after.centre) / after.scale
            powers = [sums[..., 0], *(sums[..., first + k - 1] for k in power.degrees)]
            for k in power.degrees:
                out[..., first + k - 1] = sum(
                    comb(k, j) * slope**j * shift ** (k - j) * powers[j] for j in range(k + 1)
                )
    first = quantities.n_sums - 2 * len(quantities.products)
    starts = {power.quantity.name: place for power, place in _iterate_powers(quantities)}
    for place, product in zip(range(first, quantities.n_sums, 2), quantities.products, strict=True):
        left, other = product.names
        ratio = (old[left].scale / new[left].scale) ** 2
        slope = old[other].scale / new[other].scale
        shift = (old[other].centre - new[other].centre) / new[other].scale
        alone, once, twice = sums[..., starts[left]], sums[..., place], sums[..., place + 1]
        out[..., place] = ratio * (slope * once + shift * alone)
        out[..., place + 1] = ratio * (slope**2 * twice + 2 * slope * shift * once + shift**2 * alone)
    return out


def _iterate_powers(quantities: Quantities) -> Iterator[tuple[Power, int]]:
    """Yield each power with the place of its first sum."""
    first = 1 + quantities.n_cells
    for power in quantities.powers:
        yield power, first
        first += len(power.degrees)


def change_units(
    sums: BinnedSums | ValueCounts, quantities: Quantities, old: Units, new: Units
) -> BinnedSums | ValueCounts:
    """Return a column's sums in other units."""

    def change(array: Array) -> Array:
        *before, last = array.shape  # in which nothing may be, so that -1 would not tell
        blocks = array.reshape(*before, last // quantities.n_sums, quantities.n_sums)
        return in_units(blocks, quantities, old, new).reshape(array.shape)

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
