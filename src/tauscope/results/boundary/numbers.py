"""What one run found for one row or thousands, as arrays: the record behind `Boundary` and `Boundaries`."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from tauscope.boundary.detection import STATUSES, Status
from tauscope.boundary.planes.inspection import Inspection
from tauscope.boundary.space import Limits, Metric, Space
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.weights.arrays import Bools, Floats, Ints

Certificate = Literal["exact", "trees: boxes", "linear relaxation", "none"]
"""How the lower end of the distance is known."""
AnswerKind = Literal["probability", "score", "label", "value"]
"""What the answers along the way are: of the start's own class, or how far a regression is on the start's side."""
DIAGNOSTICS = (
    "balance", "faithfulness", "balanced_accuracy", "cosine", "crossing_ratio", "scaled_distance", "derivative",
    "stability", "r2",
)  # fmt: skip
Measure = Metric | Literal["own euclidean", "own manhattan"]
"""A metric and its units: standard deviations, or those of the rows themselves."""
Record = TypeVar("Record")


@dataclass(frozen=True, eq=False)
class BoundaryNumbers:
    """One run.

    Attributes
    ----------
    columns : tuple of BoundaryColumn
        The p columns of the points.
    classes : tuple of str
        What can be decided, by code; of a regression "up to" and "above" its threshold.
    answer : {"probability", "score", "label", "value"}
    space : tauscope.boundary.space.Space
        How distance is measured.
    limits : tauscope.boundary.space.Limits
        Of each of the n starts.
    row : ndarray of shape (n,)
        Position among the study's rows; −1 for new values.
    start : ndarray of shape (n, p)
        Numbers and codes; NaN where missing.
    label : ndarray of shape (n,)
        Code of what is decided at the start.
    rival : ndarray of shape (n, p)
        Values of the rival row; NaN where there is none.
    inspection : tauscope.boundary.planes.inspection.Inspection
        What the engine found.
    lower : ndarray of shape (n,)
        No point nearer than this is decided otherwise; 0 where nothing is known.
    certificate : {"exact", "trees: boxes", "linear relaxation", "none"}
        How that is known.
    n_model_rows : int
        Rows the model was called on, for all starts.
    constrained : bool
        Whether the user's constraints, or what columns are, keep some changes out.
    own_units : bool
        Whether distances are in the rows' own units, as of a sparse matrix, not in standard deviations.
    """

    columns: tuple[BoundaryColumn, ...]
    classes: tuple[str, ...]
    answer: AnswerKind
    space: Space
    limits: Limits
    row: Ints
    start: Floats
    label: Ints
    rival: Floats
    inspection: Inspection
    lower: Floats
    certificate: tuple[Certificate, ...]
    n_model_rows: int
    constrained: bool
    own_units: bool = False

    @property
    def n(self) -> int:
        """Number of starts."""
        return len(self.row)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def measure(self) -> Measure:
        """The metric and its units."""
        if not self.own_units:
            return self.space.metric
        return "own manhattan" if self.space.metric == "manhattan" else "own euclidean"

    def n_changed(self) -> Ints:
        """Count the numbers and blocks that differ between each start and its point, shape (n,)."""
        return self.space.changed(self.start, self.inspection.point).sum(axis=1)

    def whole_free(self) -> Bools:
        """Tell of which starts a column that takes whole numbers alone can change: shape (n,)."""
        whole = np.array([column.integer and column.kind == "number" for column in self.columns], dtype=np.bool_)
        return np.logical_or.reduce(self.limits.free(self.space) & ~np.isnan(self.start) & whole, axis=1)

    def status(self, i: int) -> Status:
        """Return what came out for start i."""
        return STATUSES[int(self.inspection.detection.status[i])]

    def diagnostics(self) -> dict[str, Floats]:
        """Each diagnostic, shape (n,), by name."""
        return {name: getattr(self.inspection.diagnostics, name) for name in DIAGNOSTICS}

    def take(self, i: int) -> BoundaryNumbers:
        """Take one start as a record of its own."""
        index = np.array([i])
        return replace(
            self,
            limits=self.limits.take(index),
            row=self.row[index],
            start=self.start[index],
            label=self.label[index],
            rival=self.rival[index],
            inspection=take_rows(self.inspection, index),
            lower=self.lower[index],
            certificate=(self.certificate[i],),
        )


def scaled_changes(numbers: BoundaryNumbers, points: Floats | None = None) -> Floats:
    """Return point − start in units of the scale, shape (n, p): 1 for another level, 0 where nothing changes.

    `points` of the same starts may stand in the place of the nearest.
    """
    change = (numbers.inspection.point if points is None else points) - numbers.start
    scaled = np.nan_to_num(change / numbers.space.scale)
    levels = [j for j, column in enumerate(numbers.columns) if column.kind == "levels" and not column.ordered]
    scaled[:, levels] = scaled[:, levels] != 0
    return scaled


def take_rows(record: Record, index: Ints) -> Record:
    """Take some starts of a record of the engine: every array by its first axis, records inside likewise."""
    if not is_dataclass(record) or isinstance(record, type):
        return record
    changes: dict[str, Any] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        if isinstance(value, np.ndarray):
            changes[item.name] = value[index]
        elif is_dataclass(value):
            changes[item.name] = take_rows(value, index)
    return replace(record, **changes)
