"""Rows in chunks or in partitions of Dask: each pass reads them anew, or asks the workers that keep them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tauscope.rows.answers import PutRows, add_each, take_features, take_windows
from tauscope.rows.chunked_groups import ChunkedGroups, read_groups_of_chunks
from tauscope.rows.passes import Passes
from tauscope.rows.reading import Reader
from tauscope.rows.rows import AllRows, OrderedColumns
from tauscope.rows.schema import Schema, over_chunks
from tauscope.rows.score_steps import read_steps
from tauscope.rows.sketches.curves import SummedColumns
from tauscope.rows.sketches.sums import SketchSums
from tauscope.rows.value_order import FeatureValues, Look, SketchedValues
from tauscope.stress.bins.quantile_windows import QuantileWindow
from tauscope.stress.joint.constraints import Moment, Stress
from tauscope.stress.metric_definitions import ranks
from tauscope.stress.sums.moments import resolve_chunked
from tauscope.stress.sums.projection import ChunkedTilt, SolvedStress, Weighted, project_chunked

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class InChunks:
    """See `tauscope.rows.rows.Rows`."""

    passes: Passes
    summed: Schema
    kept: list[tuple[object, SolvedStress]] = field(default_factory=list[tuple[object, SolvedStress]])
    """The last stress that was solved, with its quantile, and what meets it; shared by all questions to a study."""
    sums: Callable[[float, Sequence[str]], SketchSums] | None = None
    """Gives the sums behind stress curves, for a quantile and metrics."""
    reader: Reader | None = None
    """What reads the chunks, and the model; for effects."""

    resident = None

    def sum(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T:
        """Apply a function to every chunk, read by the schema of all, and add what it returns."""
        return over_chunks(self.passes, self.summed)(function, *args, plus=plus)

    def solve(self, stress: Stress, quantile: float, weights: Any = None) -> SolvedStress:
        """See `tauscope.rows.rows.Rows`; a pass for each of Newton's steps, and some five before them."""
        key = quantile, *((one.function, one.targets, one.name) if isinstance(one, Moment) else one for one in stress)
        if not self.kept or self.kept[0][0] != key:
            moments = resolve_chunked(stress, self.sum, quantile, self.summed.n_rows)
            found = project_chunked(moments, self.sum)
            self.kept[:] = [
                (
                    key,
                    SolvedStress(
                        moments.terms,
                        moments.to_quantities(found.achieved),
                        Weighted(ChunkedTilt.of(moments, found), moments.unstressed, moments.target_covariance),
                        moments.n_beyond,
                        moments.in_doubt,
                        moments.notes,
                        moments.far,
                        found,
                    ),
                )
            ]
        return self.kept[0][1]

    def moved(self, quantile: float, metrics: Sequence[str]) -> SummedColumns:
        """See `tauscope.rows.rows.Rows`; three passes the first time, of which the last takes the model's answers."""
        assert self.sums is not None
        return SummedColumns(self.sums(quantile, metrics), quantile, metrics, self.passes, self.summed)

    def groups(self, by: Any) -> ChunkedGroups | AllRows:
        """Find the groups by a pass, and one before it where a column holds numbers."""
        if by is None:
            rows = self.summed
            return AllRows((rows.n_rows,), (rows.n_counted,), (rows.weight,))
        return read_groups_of_chunks(by, self.passes, self.summed)

    def ordered(self, positions: tuple[int, ...]) -> OrderedColumns:
        """Summarise some columns by a pass; values of which more must be known are looked for by others."""
        self.passes.expect(2)
        found: Any = self.passes.total(take_features, self.summed, positions, plus=add_each)
        put: PutRows = found[0]
        values: tuple[FeatureValues, ...] = found[1:]
        columns = tuple(one.column(self.summed.columns[p]) for p, one in zip(positions, values, strict=True))
        orders = tuple(SketchedValues(one.ranks, self._look(p)) for p, one in zip(positions, values, strict=True))
        one_hot = put.levels.groups(self.summed.feature_names) if put.levels else ()
        return OrderedColumns(columns, orders, one_hot, put.plain, donors=put.donors)

    def _look(self, position: int) -> Look:
        def look(intervals: list[tuple[float, float]]) -> list[QuantileWindow]:
            self.passes.expect(2)
            windows: Any = self.passes.total(take_windows, self.summed, position, tuple(intervals), plus=add_each)
            return list(windows)

        return look

    def asking(self, metrics: Sequence[str]) -> InChunks:
        """Return the same rows, summed for these metrics too; steps of the score take a pass that calls the model."""
        schema = replace(self.summed, asked=tuple(metrics))
        if ranks(schema.no_rows(), metrics):
            schema = replace(schema, steps=read_steps(self.passes, schema.outputs, schema.model_name))
        return replace(self, summed=schema)
