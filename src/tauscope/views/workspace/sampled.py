"""The rows that the scatter draws where the page has not the rows: a sample of those listed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from tauscope.views.shared_stress import StressState
from tauscope.views.wire import float32
from tauscope.views.workspace.listing import Listing, Query, RowFilter
from tauscope.weights.arrays import Floats, Ints

MOST_DRAWN = 2000
"""Rows drawn; of more a sample is."""
SEED = 0


class SampledMessage(TypedDict):
    """Which rows are drawn, at random by `seed`, of the `n` that a query finds; `stressed` where they could be weighed.

    Their order is that of the study, whatever they are sorted by.
    """

    search: str
    filter: RowFilter
    n: int
    n_sent: int
    seed: int
    stress: StressState
    stressed: bool


class SampledWire(NamedTuple):
    """The sample; the fields' names are those of the traits.

    Attributes
    ----------
    sampled : SampledMessage
    sample : bytes
        Of the rows sent, one after the other: positions (uint32), weights (float32), then each column as its `type`
        says.
    sample_weights : bytes
        float32 [row], weights under the stress; nothing without one.
    """

    sampled: SampledMessage
    sample: bytes
    sample_weights: bytes


def draw_rows(found: Ints, n_rows: int, most: int = MOST_DRAWN) -> Ints:
    """Draw some of the rows found, ascending; one that is drawn stays so where fewer are found."""
    if len(found) <= most:
        return np.sort(found)
    rank = np.random.default_rng(SEED).permutation(n_rows)[found]
    return np.sort(found[np.argpartition(rank, most - 1)[:most]])


def sampled_wire(
    listing: Listing,
    query: Query,
    selection: Sequence[int],
    stress: StressState,
    after: Floats | None,
    inside: Sequence[int] | Ints = (),
    most: int = MOST_DRAWN,
) -> SampledWire:
    """Draw a sample of the rows that a query finds; `inside` are the rows of the filter of that name."""
    weight = listing.table.weight
    found = listing.find(Query(query.search, query.filter), selection, after, inside)
    rows = draw_rows(found, listing.table.n_rows, most)
    message: SampledMessage = {
        "search": query.search,
        "filter": query.filter,
        "n": len(found),
        "n_sent": len(rows),
        "seed": SEED,
        "stress": stress,
        "stressed": after is not None,
    }
    sample = [
        rows.astype("<u4").tobytes(),
        float32(np.ones(len(rows)) if weight is None else weight[rows]),
        *(column[rows].tobytes() for column in listing.columns),
    ]
    return SampledWire(message, b"".join(sample), b"" if after is None else float32(after[rows]))
