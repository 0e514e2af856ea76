"""Rows in chunks or in partitions of Dask: each pass reads them anew, or asks the workers that keep them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tauscope.rows.chunked_groups import ChunkedGroups, read_groups_of_chunks
from tauscope.rows.passes import Passes
from tauscope.rows.rows import AllRows
from tauscope.rows.schema import Schema, over_chunks
from tauscope.rows.score_steps import read_steps
from tauscope.stress.metric_definitions import ranks

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class InChunks:
    """See `tauscope.rows.rows.Rows`."""

    passes: Passes
    summed: Schema

    resident = None

    def sum(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T:
        """Apply a function to every chunk, read by the schema of all, and add what it returns."""
        return over_chunks(self.passes, self.summed)(function, *args, plus=plus)

    def groups(self, by: Any) -> ChunkedGroups | AllRows:
        """Find the groups by a pass, and one before it where a column holds numbers."""
        if by is None:
            rows = self.summed
            return AllRows((rows.n_rows,), (rows.n_counted,), (rows.weight,))
        return read_groups_of_chunks(by, self.passes, self.summed)

    def asking(self, metrics: Sequence[str]) -> InChunks:
        """Return the same rows, summed for these metrics too; steps of the score take a pass that calls the model."""
        schema = replace(self.summed, asked=tuple(metrics))
        if ranks(schema.no_rows(), metrics):
            schema = replace(schema, steps=read_steps(self.passes, schema.outputs, schema.model_name))
        return replace(self, summed=schema)
