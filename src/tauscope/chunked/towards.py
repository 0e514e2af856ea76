"""Rows in chunks brought to the margins of another population, by passes: `tauscope.study.stress.towards` of chunks."""

# Rows are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd

from tauscope.data.features import default_features
from tauscope.results.stress.other_population import BALANCE, Target, sort_balance
from tauscope.rows.outline import sample_columns
from tauscope.rows.reading import as_frame
from tauscope.rows.schema import AlignedChunk, Schema, over_chunks
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.sums.approach import ChunkedApproach, approach_chunked
from tauscope.stress.sums.margins import measure_chunked_margins
from tauscope.stress.sums.projection import Weighted
from tauscope.stress.towards.margins import Margins
from tauscope.study.stress.towards.target import NewRows, Way, find_target

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.rows.passes import Passes
    from tauscope.study.base import StudyBase


def read_target(self: ChunkedBase, given: NewRows) -> Target:
    """Read what another sample says of a population, by the columns of all chunks."""
    passes = self._passes()
    schema = self._schema(passes)
    return find_target(
        cast("StudyBase", self._read_outline(passes)),
        given,
        lambda: _answers(self, schema, given.X, given.y),
        has_model=self._has_model,
        rows=lambda: cast("StudyBase", sample_columns(passes, schema)),
    )


def approach_chunks(self: ChunkedBase, target: Target, amount: float, price: float | None) -> Way:
    """Weight rows in chunks towards a population."""
    passes = self._passes()
    schema, outline = self._schema(passes), self._read_outline(passes)
    features = default_features(outline._columns)[0]
    compared = [feature.name for feature in features if np.isfinite(target.means.get(feature.name, np.nan))]
    found = approach_chunked(
        target.margins,
        _present_margins(self, passes, schema, target.margins, spread=amount < 1),
        over_chunks(passes, schema),
        outline.sums.rows,
        amount=amount,
        price=price,
        features=compared,
        centres=outline.means(compared),
    )
    weighted = Weighted(found.tilt, found.unstressed, found.target_covariance, found.penalty)
    return Way(found, weighted, found.n_beyond, found.moved_share, features, None, _balance(compared, target, found))


def _answers(study: ChunkedBase, schema: Schema, X: Any, y: Any) -> Outcomes:
    """Ask the model about new rows in memory, and read their labels, as the chunks' own are read."""
    options = replace(study._reader.options, target=None, sample_weight=None)
    rows = as_frame(X)
    if nw.dependencies.is_into_dataframe(rows):
        rows = nw.from_native(rows, eager_only=True).select(list(schema.feature_names)).to_native()
    chunk = replace(study._reader, options=options, names=schema.feature_names)((rows, y), "the new rows")
    assert chunk is not None
    return replace(AlignedChunk(chunk, schema).outcomes, in_chunks=False)


def _present_margins(study: ChunkedBase, passes: Passes, schema: Schema, margins: Margins, *, spread: bool) -> Margins:
    """Return the margins of the rows, with their covariance where it is needed; measured once for all of a way."""
    known = study._present_margins
    if (margins, spread) not in known:
        outline = study._read_outline(passes)
        total = over_chunks(passes, schema)
        known[margins, spread] = measure_chunked_margins(
            margins.which, outline.sums, outline.names, total, spread=spread
        )
    return known[margins, spread]


def _balance(names: Sequence[str], target: Target, found: ChunkedApproach) -> pd.DataFrame:
    rows = _balance_rows(names, target, found)
    return sort_balance(pd.DataFrame(list(rows), columns=list(BALANCE)))


def _balance_rows(names: Sequence[str], target: Target, found: ChunkedApproach) -> Iterator[tuple[Any, ...]]:
    for name, (mean, sd, now, _) in zip(names, found.balance.tolist(), strict=True):
        there = target.means[name]
        if sd > 0:
            yield name, mean, now, there, (mean - there) / sd, (now - there) / sd
