"""The steps of one run that dense and sparse rows share: the engine asked, what comes back as a record of numbers."""

# Decided in docs/decisions/0020-labels-are-read-from-answers-where-they-may-be.md.

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.detection import Detection
from tauscope.boundary.diverse import find_diverse
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect_blocks import inspect_in_blocks
from tauscope.boundary.planes.inspection import Inspection
from tauscope.boundary.regions import find_regions
from tauscope.boundary.rivals import Pool, flips
from tauscope.boundary.space import Limits
from tauscope.data.columns import Column
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, Over
from tauscope.prediction.rows import Rows
from tauscope.results.boundary.boundary import BoundaryRegion, DiverseRow
from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.results.boundary.numbers import BoundaryNumbers
from tauscope.study.boundary.certify import ProvedDistances, nothing_proved
from tauscope.study.boundary.decision import StudyDecision
from tauscope.study.boundary.fractions import LEAST_BUDGET, reads_fractions
from tauscope.study.boundary.options import search_options
from tauscope.study.boundary.space import StudySpace
from tauscope.study.rows import ChosenRows
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.words import agree, count

if TYPE_CHECKING:
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase


Prove = Callable[[StudyDecision, Floats], ProvedDistances]
"""The decision as the search took it and the distances found, to their lower ends."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a run found, and the words that go with it.

    Attributes
    ----------
    spec : BoundarySpec
        As it was read.
    numbers : BoundaryNumbers
    notes : tuple of str
    regions : tuple of BoundaryRegion
    diverse : tuple of DiverseRow
    extra_model_rows : int
        Rows the model was called on for the last two.
    """

    spec: BoundarySpec
    numbers: BoundaryNumbers
    notes: tuple[str, ...]
    regions: tuple[BoundaryRegion, ...] = ()
    diverse: tuple[DiverseRow, ...] = ()
    extra_model_rows: int = 0


class SearchRun:
    """The parts of one run that its steps share.

    Parameters
    ----------
    study : Study
    spec : BoundarySpec
        As it was read.
    measured : StudySpace
    decision : StudyDecision
    batches : BatchOptions
    rows : Rows
        In whose container the model is asked.
    over : callable
        Applies a function to blocks of rows as `map` does.
    """

    def __init__(
        self,
        study: StudyBase,
        spec: BoundarySpec,
        measured: StudySpace,
        decision: StudyDecision,
        batches: BatchOptions,
        rows: Rows,
        over: Over = map,
    ) -> None:
        self.over = over
        self.study, self.spec, self.measured, self.decision, self.batches = study, spec, measured, decision, batches
        self.rows = rows
        self.n_model_rows = 0

    def __call__(
        self,
        chosen: ChosenRows,
        starts: Starts,
        limits: Limits,
        pool: Pool,
        prove: Prove | None,
        paths: bool,
        *,
        n_reserved: int = 0,
        detected: Detection | None = None,
    ) -> Search:
        """Search from some starts.

        Parameters
        ----------
        chosen : ChosenRows
        starts : Starts
        limits : Limits
        pool : Pool
            Rows among which rivals are sought.
        prove : callable or None
            None: distances are not bounded from below.
        paths : bool
            Whether the model is asked along the directions.
        n_reserved : int
            Rows of `max_model_rows` that are kept for the proof.
        detected : Detection, optional
            What was detected already, by labels that are settled.
        """
        measured, decision = self.measured, self.decision
        options = search_options(self.study, self.spec, measured, decision)
        searching = options
        if n_reserved and options.max_model_rows is not None:
            searching = replace(options, max_model_rows=max(1, options.max_model_rows - n_reserved))

        def inspected(decision: StudyDecision) -> Inspection:
            model = self.study._require_model("has boundaries")
            n_before = model.n_model_rows
            inspection = inspect_in_blocks(
                decision.decision, self.rows, measured.space, pool, starts, limits, searching,
                batches=self.batches, paths=paths, detected=detected, over=self.over,
            )  # fmt: skip
            model.n_model_rows = n_before + inspection.n_model_rows  # other processes count their own
            self.n_model_rows += inspection.n_model_rows
            return inspection

        inspection = inspected(decision)
        if detected is None and decision.inferred and not self.flipped_by_predict(starts, inspection):
            decision = decision.asking_for_labels()
            inspection = inspected(decision)
        proved = nothing_proved(starts.n) if prove is None else prove(decision, inspection.distance)
        self.n_model_rows += proved.n_model_rows
        rival = inspection.detection.rival
        numbers = BoundaryNumbers(
            columns=measured.columns,
            classes=decision.classes,
            answer=decision.answer,
            space=measured.space,
            limits=limits,
            row=chosen.position,
            start=starts.points,
            label=starts.labels,
            rival=_values_at(pool, rival, starts.points.shape[1]),
            inspection=inspection,
            lower=proved.lower,
            certificate=proved.certificate,
            n_model_rows=self.n_model_rows,
            constrained=bool(self.spec.fixed or self.spec.bounds or self.spec.monotonic_cst)
            or any(column.held for column in measured.columns),
        )
        found = Search(self.spec, numbers, (*measured.notes, *self._notes(starts, limits, inspection, proved)))
        if numbers.status(0) != "found" or (self.spec.n_regions == 1 and self.spec.n == 1):
            return found
        return self._with_more(found, decision, pool, starts, limits, options)

    def _with_more(
        self,
        found: Search,
        decision: StudyDecision,
        pool: Pool,
        starts: Starts,
        limits: Limits,
        options: SearchOptions,
    ) -> Search:
        """Add the stretches of the boundary and the diverse points asked for, of one row."""
        spec, space = self.spec, self.measured.space
        regions: tuple[BoundaryRegion, ...] = ()
        diverse: tuple[DiverseRow, ...] = ()
        n_model_rows = 0
        problem = (decision.decision, self.rows, space, pool, starts, limits)

        def within_budget() -> SearchOptions:
            budget = options.max_model_rows
            left = None if budget is None else max(1, budget - self.n_model_rows - n_model_rows)
            return replace(options, max_model_rows=left)

        if spec.n_regions > 1:
            stretches = find_regions(*problem, within_budget(), n_regions=spec.n_regions, batches=self.batches)
            columns = (stretches.point, stretches.distance, stretches.label, stretches.direction, stretches.share)
            regions = tuple(
                BoundaryRegion(point, float(distance), int(label), direction, float(share))
                for point, distance, label, direction, share in zip(*columns, strict=True)
            )
            n_model_rows += stretches.n_model_rows
        if spec.n > 1:
            points = find_diverse(*problem, within_budget(), n=spec.n, batches=self.batches)
            counts = (points.point, points.distance, points.label, points.n_changed, points.nearest, points.density)
            diverse = tuple(
                DiverseRow(point, float(distance), int(label), int(changed), float(nearest), float(density))
                for point, distance, label, changed, nearest, density in zip(*counts, strict=True)
            )
            n_model_rows += points.n_model_rows
        return replace(found, regions=regions, diverse=diverse, extra_model_rows=n_model_rows)

    def starts(self, chosen: ChosenRows, target: int | None) -> Starts:
        """Take the rows as points with their decisions; new values are asked about."""
        if chosen.points is None:
            points, base = self.measured.points[chosen.position], chosen.position
            codes = self.decision.labels[chosen.position]
        else:
            points, base = chosen.points, np.zeros(chosen.n, dtype=np.int64)
            codes = self._labels(base, points)
        if target is not None and (codes == target).any():
            here = np.flatnonzero(codes == target)
            which = f"{len(here)} of the {count(chosen.n, 'row')} are" if chosen.n > 1 else "the row is"
            raise InputError(
                f"target must be another class than the row's own; {which} predicted "
                f"{self.decision.classes[target]!r} already. Choose another target, or other rows."
            )
        return Starts(points, codes, base, target, key=chosen.key)

    def measured_between(self, starts: Starts, limits: Limits, whole: tuple[int, ...], points: Floats) -> StudySpace:
        """Measure the rows with those columns of whole numbers between which the model can be asked."""
        measured, budget = self.measured, self.spec.max_model_rows
        if not whole or not starts.n or (budget is not None and budget < LEAST_BUDGET):
            return measured
        predictor = DecisionPredictor(self.decision.decision, self.rows, BatchOptions(self.batches.batch_rows))
        fractional = reads_fractions(predictor, points, starts, limits, whole)
        self.n_model_rows += predictor.n_model_rows
        return replace(measured, space=replace(measured.space, fractional=fractional))

    def _labels(self, base: Ints, points: np.ndarray) -> Ints:
        predictor = DecisionPredictor(self.decision.decision, self.rows, BatchOptions(self.batches.batch_rows))
        found = predictor.labels(base, points)
        self.n_model_rows += predictor.n_model_rows
        return found

    def flipped_by_predict(self, starts: Starts, inspection: Inspection) -> bool:
        """Ask the model's own predict about the points found, whose labels were read from its answers."""
        found = np.flatnonzero(np.isfinite(inspection.distance))
        if not len(found):
            return True
        by_label = self.decision.asking_for_labels().decision
        predictor = DecisionPredictor(by_label, self.rows, BatchOptions(self.batches.batch_rows))
        codes = predictor.labels(starts.base[found], inspection.point[found])
        self.n_model_rows += predictor.n_model_rows
        return bool(flips(codes, starts.labels[found], starts.target).all())

    def _notes(
        self, starts: Starts, limits: Limits, inspection: Inspection, proved: ProvedDistances
    ) -> tuple[str, ...]:
        labels, n_rivals = self.decision.labels, self.spec.n_rivals
        available = {
            int(code): int(np.count_nonzero(flips(labels, code, starts.target))) for code in np.unique(starts.labels)
        }
        few = [n for n in available.values() if 0 < n < n_rivals]
        there = [count(min(few), "row is", "rows are")] if few else []
        notes = [f"{count(n_rivals, 'rival was', 'rivals were')} asked for; {n} predicted otherwise" for n in there]
        if inspection.spent:
            notes.append("the search was ended early, by max_model_rows or a stop: what is not computed is missing")
        measured, study = self.measured, self.study
        if len(measured.points) == study.n_rows:  # of sparse rows only some columns are here
            notes += beyond_notes(measured.columns, study._columns, limits, starts.points, inspection.point)
        if proved.reason:
            notes.append(f"nothing is proved about nearer points: {proved.reason}")
        return tuple(notes)


def _values_at(pool: Pool, rival: Ints, p: int) -> Floats:
    """Values of rivals (n,) of the pool, shape (n, p); NaN where there is none."""
    values = np.full((len(rival), p), np.nan)
    values[rival >= 0] = pool.points[rival[rival >= 0]]
    return values


NEAR = 1e-6
"""Beyond the rows by less, in units of the distance, is rounding."""
NAMED = 3
"""Most columns named."""


def beyond_notes(
    columns: Sequence[BoundaryColumn], sources: Sequence[Column], limits: Limits, start: Floats, point: Floats
) -> tuple[str, ...]:
    """Say which points have values less or greater than all rows, where no limit was set on that side.

    Parameters
    ----------
    columns : sequence of BoundaryColumn
    sources : sequence of Column
        The same columns of the rows.
    limits : Limits
        Of each start.
    start, point : ndarray of shape (n, p)
        Points are NaN where none was found.
    """
    numbers = [j for j, column in enumerate(columns) if column.kind != "levels"]
    scale, names = np.array([columns[j].scale for j in numbers]), [columns[j].name for j in numbers]
    low, high = np.array([sources[j].lower for j in numbers]), np.array([sources[j].upper for j in numbers])
    here, there = start[:, numbers], point[:, numbers]
    below = (there < low - NEAR * scale) & (there < here) & np.isinf(limits.lower[:, numbers])
    above = (there > high + NEAR * scale) & (there > here) & np.isinf(limits.upper[:, numbers])
    beyond: Bools = below | above
    places: list[int] = np.flatnonzero(beyond.any(axis=0)).tolist()
    if not places:
        return ()
    named = places[:NAMED]
    ranges = ", ".join(f"{names[k]!r}: ({low[k]:.6g}, {high[k]:.6g})" for k in named)
    more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
    if len(point) > 1:
        of = ", ".join(names[k] for k in named)
        n = int(beyond.any(axis=1).sum())
        said = f"{n:,} of {count(len(point), 'point')} {agree(n, 'has', 'have')} a value that no row reaches, of"
    else:
        of = ", ".join(f"{names[k]} {columns[numbers[k]].label(there[0, k])}" for k in named)
        said = "no row reaches"
    return (f"{said} {of}{more}: to stay among the rows give bounds={{{ranges}}}",)
