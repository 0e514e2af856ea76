"""The run for rows of a sparse matrix: rivals by sparse distances, then each row in the few columns that can move."""

# SciPy's sparse containers carry no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.certificates.sparse_linear import Reach, certify_sparse, room
from tauscope.boundary.decision import DecisionPredictor
from tauscope.boundary.detection import MORE_RIVALS, Detection, detect
from tauscope.boundary.rivals import Pool
from tauscope.boundary.sparse import (
    ActiveRows,
    columns_used,
    dense_part,
    mean_sparse_distance,
    nearest_sparse_rivals,
)
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchOptions, Over
from tauscope.results.boundary.sparse import joined_parts
from tauscope.study.boundary.certify import (
    ProvedDistances,
    certificates_of,
    estimator_codes,
    model_read,
    n_sparse_proof_rows,
    nothing_proved,
)
from tauscope.study.boundary.decision import StudyDecision
from tauscope.study.boundary.options import search_options, settled_spec, target_code
from tauscope.study.boundary.run import Search, SearchRun
from tauscope.study.boundary.sparse_finish import finished
from tauscope.study.boundary.sparse_space import SparseSpace, check_starts, sparse_space
from tauscope.study.rows import ChosenRows
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.sparse import SparseColumns
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.study.base import StudyBase

BLOCK_CELLS = 2_000_000
"""Rivals times columns that one detection holds dense."""


@dataclass(frozen=True, eq=False)
class Detected:
    """What was detected for one row, in the columns that are not 0 in it, in the point, or in the rival.

    Attributes
    ----------
    active : ndarray of shape (p,)
    detection : Detection
        Of one start; the rival is a position among `rivals`.
    rivals : ndarray of shape (k,)
        Rows of the matrix that were tried.
    """

    active: Ints
    detection: Detection
    rivals: Ints


@dataclass(frozen=True, eq=False)
class _Row:
    """A row to search from, and the rows of the matrix that are its rivals."""

    chosen: ChosenRows
    row: Any
    label: Ints
    rivals: Ints


@dataclass(frozen=True, eq=False)
class _Found:
    """What was found from one row, in its active columns, and what it took."""

    search: Search
    active: Ints
    n_model_rows: int
    n_told: int
    follows: bool
    stopped: bool


class SparseSearch:
    """The parts of a run on sparse rows that its steps share.

    Parameters
    ----------
    study : Study
    columns : SparseColumns
    spec : BoundarySpec
    decision : StudyDecision
    batches : BatchOptions
    over : callable
        Applies a function to rows as `map` does; with `max_model_rows`, which they spend together, one follows another.
    """

    def __init__(
        self,
        study: StudyBase,
        columns: SparseColumns,
        spec: BoundarySpec,
        decision: StudyDecision,
        batches: BatchOptions,
        over: Over = map,
    ) -> None:
        self.over = over
        self.study, self.decision = study, decision
        self.space: SparseSpace = sparse_space(study, columns, spec)
        self.spec = settled_spec(study, spec, self.space.metric, self.space.one_hot, "sparse")
        self.target = target_code(study, self.spec)
        self.csr: Any = columns.table.csr
        self.batches = BatchOptions(batches.batch_rows, self._report)
        self._hook = batches.progress
        self.n_model_rows, self.n_reserved, self.n_told = 0, 0, 0
        self.stopped, self.follows = False, decision.follows

    def __call__(self, choose: Callable[[], ChosenRows], paths: bool, certify: bool) -> Search:
        """Search from the rows chosen, each by itself."""
        chosen = choose()
        new = chosen.points is not None
        rows = chosen.points if new else self.csr[chosen.position]
        labels = self._labels(rows) if new else self.decision.labels[chosen.position]
        self._check_target(labels)
        self.n_reserved = n_sparse_proof_rows(self.study, chosen.n) if certify else 0
        check_starts(self.space, rows)
        n_rivals = self.spec.n_rivals * (MORE_RIVALS if new or self._is_constrained() else 1)
        rivals = nearest_sparse_rivals(
            self.space.metric, self.csr, self.decision.labels, rows, labels, self.target, n_rivals
        )
        apart = mean_sparse_distance(self.space.metric, self.csr, self._seed())
        units = [_Row(chosen.without_points(i), rows[[i]], labels[i : i + 1], rivals[i]) for i in range(chosen.n)]
        found, active = self._of_rows(units, _SearchRow(self, apart, paths))
        if certify:
            found = self._certified(found, rows, labels)
        return self._joined(found, active)

    def _of_rows(self, units: list[_Row], search: _SearchRow) -> tuple[list[Search], list[Ints]]:
        """Search from each row; once the search is to end, those left are told of as they are, without the model."""
        model = self.study._require_model("has boundaries")
        n_before, n_own = model.n_model_rows, self.n_model_rows
        over = map if self.spec.max_model_rows is not None else self.over
        answers = iter(over(search, units))
        found: list[_Found] = []
        for unit in units:
            one = search(unit) if self.stopped else next(answers)
            self._take(one)
            found.append(one)
        model.n_model_rows = n_before + self.n_model_rows - n_own  # other processes count their own
        return [one.search for one in found], [one.active for one in found]

    def _take(self, one: _Found) -> None:
        """Count a row's answers, and tell the hook of those that it has not heard of."""
        self.n_model_rows += one.n_model_rows
        self.follows = self.follows and one.follows  # else nothing is proved of any row by the largest answer
        self.stopped, self.n_told = self.stopped or one.stopped, max(self.n_told, one.n_told)
        if not self.stopped and self.n_told < self.n_model_rows:
            self._report(0, 0)

    def of_row(self, unit: _Row, apart: float, paths: bool) -> tuple[Search, Ints]:
        """Search from one row; by the model's own predict where its answers tell other labels of the point."""
        decision = self.decision
        while True:
            search, active, flipped = self._by(decision, unit.chosen, unit.row, unit.label, unit.rivals, paths)
            if flipped:
                break
            decision = decision.asking_for_labels()
            self.follows = False
        return finished(search, active, self.csr, self.space, self.decision.labels, apart)

    def apart(self) -> SparseSearch:
        """Return one that counts for itself, and tells the same hook."""
        own = copy(self)
        own.batches = BatchOptions(self.batches.batch_rows, own._report)
        return own

    def without_hook(self) -> SparseSearch:
        """Return one that tells nobody."""
        own = self.apart()
        own._hook, own.over = None, map
        return own

    def _by(
        self, decision: StudyDecision, chosen: ChosenRows, row: Any, label: Ints, rivals: Ints, paths: bool
    ) -> tuple[Search, Ints, bool]:
        spec = replace(self.spec, max_model_rows=self._left())
        detected = self._detect(decision, spec, chosen, row, label, rivals)
        active = detected.active
        starts = self._starts(chosen, row, label, active)
        pool = self._pool(detected.rivals, active)
        measured = self.space.part(active, pool.points)
        spec = replace(spec, max_model_rows=self._left())
        run = SearchRun(self.study, spec, measured, decision, self.batches, ActiveRows(self.csr, active))
        limits = self.space.limits(active, starts.points[0])
        whole = tuple(np.flatnonzero(measured.space.whole).tolist())
        run.measured = run.measured_between(starts, limits, whole, measured.points[:0])
        n_reserved = run.n_model_rows
        search = run(chosen, starts, limits, pool, None, paths, detected=detected.detection, n_reserved=n_reserved)
        flipped = not decision.inferred or run.flipped_by_predict(starts, search.numbers.inspection)
        self.n_model_rows += run.n_model_rows + search.extra_model_rows
        rival = search.numbers.inspection.detection.rival
        at = np.where(rival >= 0, np.append(detected.rivals, -1)[rival], -1)
        inspection = search.numbers.inspection
        inspection = replace(inspection, detection=replace(inspection.detection, rival=at))
        constrained = self._is_constrained() or bool((self.space.lower[active] == 0).any())
        numbers = replace(search.numbers, inspection=inspection, own_units=True, constrained=constrained)
        return replace(search, numbers=numbers), active, flipped

    def _detect(
        self, decision: StudyDecision, spec: BoundarySpec, chosen: ChosenRows, row: Any, label: Ints, rivals: Ints
    ) -> Detected:
        """Bisect the ways to the rivals, as many at once as a block holds; farther ones where the nearest do not do."""
        own = columns_used(row)
        best, n_tried, last = None, 0, None
        for stage in (rivals[: spec.n_rivals], rivals[spec.n_rivals :]):
            for block in self._blocks(stage, len(own)):
                active = self.space.with_groups(np.union1d(own, columns_used(self.csr[block])))
                detection = self._detect_in(active, decision, chosen, row, label, block)
                n_tried += int(detection.n_rivals[0])
                last = active, detection, block
                if best is None or detection.distance[0] < best[1].distance[0]:
                    best = last
            if best is not None and np.isfinite(best[1].distance[0]):
                break
        if best is None or last is None:
            active = self.space.with_groups(own)
            nothing = self._detect_in(active, decision, chosen, row, label, rivals)
            return Detected(active, nothing, rivals)
        wide, detection, block = best if np.isfinite(best[1].distance[0]) else last
        detection = replace(detection, n_rivals=np.array([n_tried]))
        if self.spec.n_regions > 1 or self.spec.n > 1:
            return Detected(wide, detection, block)
        used = [own, wide[np.flatnonzero(np.nan_to_num(detection.point[0]))]]
        if detection.rival[0] >= 0:
            used.append(columns_used(self.csr[[block[detection.rival[0]]]]))
        active = self.space.with_groups(np.unique(np.concatenate(used)))
        return Detected(active, replace(detection, point=detection.point[:, np.searchsorted(wide, active)]), block)

    def _detect_in(
        self, active: Ints, decision: StudyDecision, chosen: ChosenRows, row: Any, label: Ints, rivals: Ints
    ) -> Detection:
        starts = self._starts(chosen, row, label, active)
        left = self._left()
        if left and starts.implied_labels(decision.decision.n_classes) is None:
            left -= 1  # to ask what is decided at the point
        pool = self._pool(rivals, active)
        measured = self.space.part(active, pool.points)
        options = search_options(self.study, self.spec, measured, decision)
        predictor = DecisionPredictor(decision.decision, ActiveRows(self.csr, active), self.batches, left)
        detection = detect(
            predictor,
            measured.space,
            pool,
            starts,
            self.space.limits(active, starts.points[0]),
            n_rivals=max(1, len(rivals)),
            tolerance=options.tolerance,
        )
        self.n_model_rows += predictor.n_model_rows
        return detection

    def _blocks(self, rivals: Ints, n_own: int) -> Iterator[Ints]:
        """Cut rivals so that those of a block, in the columns they use, are few cells."""
        stored = np.diff(self.csr.indptr)[rivals]
        first, width = 0, n_own
        for k in range(len(rivals)):
            width += int(stored[k])
            if k > first and (k - first + 1) * width > BLOCK_CELLS:
                yield rivals[first:k]
                first, width = k, n_own + int(stored[k])
        if first < len(rivals):
            yield rivals[first:]

    def _starts(self, chosen: ChosenRows, row: Any, label: Ints, active: Ints) -> Starts:
        return Starts(dense_part(row, active), label, np.maximum(chosen.position, 0), self.target, key=chosen.key)

    def _pool(self, rivals: Ints, active: Ints) -> Pool:
        return Pool(dense_part(self.csr[rivals], active), self.decision.labels[rivals])

    def _certified(self, found: list[Search], rows: Any, labels: Ints) -> list[Search]:
        """Bound distances from below, over all columns."""
        distance = np.array([search.numbers.inspection.distance[0] for search in found])
        proved = self._proved(rows, labels, distance)
        note = (f"nothing is proved about nearer points: {proved.reason}",) if proved.reason else ()
        return [
            replace(
                search,
                numbers=replace(search.numbers, lower=proved.lower[[i]], certificate=(proved.certificate[i],)),
                notes=(*search.notes, *note),
            )
            for i, search in enumerate(found)
        ]

    def _proved(self, rows: Any, labels: Ints, distance: Floats) -> ProvedDistances:
        study, space = self.study, self.space
        estimator, _ = model_read(study)
        if not hasattr(estimator, "predict"):
            return nothing_proved(len(labels), f"{study._model_name} has no parameters that could be read")
        if study._task != "regression" and not self.follows:
            return nothing_proved(len(labels), "its labels are not those of the largest answer")

        def reach_of(i: int) -> Reach:
            start = np.asarray(rows[[i]].toarray(), dtype=np.float64).ravel()
            return room(rows[[i]], *space.ends(slice(None), start), space.whole)

        bounds = certify_sparse(
            estimator,
            rows,
            reach_of,
            labels,
            self.target,
            distance,
            norm=2 if space.metric == "euclidean" else 1,
            n_classes=len(self.decision.classes),
            codes=estimator_codes(study, estimator),
            threshold=self.spec.threshold if study._task == "regression" else None,
        )
        study._require_model("has boundaries").n_model_rows += bounds.n_model_rows
        self.n_model_rows += bounds.n_model_rows
        return ProvedDistances(bounds.distance, certificates_of(bounds), bounds.reason, bounds.n_model_rows)

    def _joined(self, found: list[Search], active: list[Ints]) -> Search:
        notes = tuple(dict.fromkeys([*self.space.notes, *(note for search in found for note in search.notes)]))
        if len(found) == 1:
            extra = found[0].extra_model_rows
            numbers = replace(found[0].numbers, n_model_rows=self.n_model_rows - extra)
            return replace(found[0], spec=self.spec, numbers=numbers, notes=notes)
        numbers = joined_parts([search.numbers for search in found], active, self.n_model_rows)
        return Search(self.spec, numbers, notes)

    def _labels(self, rows: Any) -> Ints:
        """Ask what is decided for new rows."""
        decision, n = self.decision.decision, rows.shape[0]
        step = self.batches.rows_per_batch(rows.shape[1])
        parts: list[Ints] = []
        for first in range(0, n, step):
            part = rows[first : first + step]
            if decision.label_of is not None and decision.answers is not None:
                parts.append(decision.label_of(np.asarray(decision.answers(part))))
            else:
                parts.append(np.asarray(decision.labels(part)).astype(np.int64))
        self.n_model_rows += n
        return np.concatenate(parts)

    def _check_target(self, labels: Ints) -> None:
        here = int(np.count_nonzero(labels == self.target)) if self.target is not None else 0
        if here:
            assert self.target is not None
            which = f"{here} of the {count(len(labels), 'row')} are" if len(labels) > 1 else "the row is"
            raise InputError(
                f"target must be another class than the row's own; {which} predicted "
                f"{self.decision.classes[self.target]!r} already. Choose another target, or other rows."
            )

    def _is_constrained(self) -> bool:
        return bool(self.spec.fixed or self.spec.bounds or self.spec.monotonic_cst)

    def _left(self) -> int | None:
        """Rows that may still be asked about; None for any number."""
        budget = self.spec.max_model_rows
        if self.stopped:
            return 0
        return None if budget is None else max(0, budget - self.n_model_rows - self.n_reserved)

    def _seed(self) -> int:
        assert isinstance(self.spec.random_state, int)
        return self.spec.random_state

    def _report(self, done: int, total: int) -> bool:
        """Tell the hook of all rows asked about so far; it may end the search."""
        if self._hook is not None:
            self.n_told = self.n_model_rows + done
            self.stopped = bool(self._hook(self.n_told, max(total, self.n_told))) or self.stopped
        return self.stopped


class _SearchRow:
    """A row to what is found from it, here or in another process: there without a hook, which is asked afterwards."""

    def __init__(self, search: SparseSearch, apart: float, paths: bool) -> None:
        self._search, self._apart, self._paths = search, apart, paths

    def __call__(self, unit: _Row) -> _Found:
        own = self._search.apart()
        n_before = own.n_model_rows
        search, active = own.of_row(unit, self._apart, self._paths)
        return _Found(search, active, own.n_model_rows - n_before, own.n_told, own.follows, own.stopped)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_search": self._search.without_hook()}
