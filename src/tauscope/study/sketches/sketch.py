"""The stress sketch: sums over rows that need not fit in memory, which answer as a study of them would."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from tauscope.errors import InputError
from tauscope.model.calls import Model
from tauscope.results.stress.curves import StressCurves
from tauscope.rows.reading import Fitted, Reader, ReadingOptions
from tauscope.rows.sketches.curves import SketchedRows
from tauscope.rows.sketches.sums import SketchSums, no_sums, sum_chunk
from tauscope.stress.outcomes import Task
from tauscope.study.needs_rows import check_shared_options
from tauscope.study.sketches.sketch_file import load_sums, save_sums
from tauscope.study.stress.curves import Features, stress_curves
from tauscope.study.stress.curves_by_group import curves_by_group
from tauscope.study.stress.harm import equal_shifts
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.rows.rows import Rows
    from tauscope.study.study import Study


class StressSketch:
    """SketchSums over rows that need not fit in memory: what `ChunkedStudy.sketch` makes, or `StressSketch.load` reads.

    A sketch keeps sums, as many for each column whatever the number of rows (and some of the rows where they are
    weighted, see Notes), adds to others of the same bins (``a + b``), is saved as a plain npz, and gives the
    `StressCurves` that `Study.stress_curves` gives from the rows: every metric of the task with its interval, effective
    sample size, Pareto k̂, KL and total variation, to 1e-9; ROC AUC and average precision within a bound that a note
    gives.
    Metrics of scikit-learn and joint stresses need the rows; for the latter see `ChunkedStudy.reweight`.

    Notes
    -----
    Columns of at most 256 different values (or of at most 2,048 rows) are kept value by value and answer for any
    quantile and any rows added later. The bins of other columns are made for the rows of the first pass: rows added
    later must lie in their range, and their intervals then agree with those in memory to about 1e-3 of their width
    and the values to 1e-7.

    Of weighted rows a sketch keeps sums of the first four powers of the weights, and for each column some of the rows,
    its value and the weight, 16 bytes a row: those that can be among the heaviest under one of its tilts, from which
    Pareto k̂ is told. Of n rows at the first pass these are 6√n for each value of a column kept value by value, and
    some ten times 6√n of another column. A million rows so leave 25 MB of a column of 256 values and 1 MB of one in
    bins, a hundred million ten times that; rows added later take the place of lighter ones.

    Examples
    --------
    >>> sketch = ts.ChunkedStudy(model, [(X_test, y_test)], progress=False).sketch()
    >>> sketch.stress_curves("mean radius", taus=3).n_rows
    284
    """

    def __init__(self, sums: SketchSums, reader: Reader) -> None:
        self._sums = sums
        self._reader = reader

    @classmethod
    def load(cls, path: str | Path, model: Fitted = None) -> Self:
        """Read a sketch from a file.

        Parameters
        ----------
        path : str or Path
            As written by `save`.
        model : as in `ChunkedStudy`, optional
            Needed to `update` it where the rows bring no predictions.

        Raises
        ------
        InputError
            For another file.
        """
        called = None if model is None else Model(model, progress=False)
        sums = load_sums(Path(path))
        return cls(sums, Reader(called, ReadingOptions(sample_weight=sums.plan.sample_weight)))

    @property
    def n_rows(self) -> int:
        """Rows summed so far."""
        return self._sums.n_rows

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self._sums.plan.columns)

    @property
    def _task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self._sums.plan.outputs.task

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression."""
        return self._sums.plan.outputs.classes

    @property
    def quantile(self) -> float:
        """τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles."""
        return self._sums.plan.quantile

    def empty(self) -> Self:
        """Return a sketch without rows over the same bins, to be filled elsewhere and added."""
        return type(self)(no_sums(self._sums.plan, tuple(c.levels for c in self._sums.columns)), self._reader)

    def update(self, X: Any, y: Any = None, y_pred: Any = None, y_score: Any = None) -> Self:
        """Add rows; the model is called on them.

        Parameters
        ----------
        X : DataFrame or array of shape (n_rows, n_columns)
            The columns of the sketch; with the target, predictions and weights among them where it was made so.
        y : column of shape (n_rows,), optional
        y_pred, y_score : columns, optional
            Where there is no model.

        Returns
        -------
        StressSketch
            This one.

        Raises
        ------
        InputError
            For other columns, values outside the range of the bins, or classes that are not there. Nothing is added
            then. Levels that no row had before are taken up.
        """
        reader = replace(self._reader, names=self.feature_names)
        if y is None and y_pred is None and y_score is None:
            chunk = reader(X, "these rows")
        else:
            chunk = reader((X, y) if reader.model is not None else (X, y, y_pred, y_score), "these rows")
        if chunk is not None:
            self._sums = self._sums + sum_chunk(chunk, self._sums.plan)
        return self

    def __add__(self, other: object) -> Self:
        """Return the sketch of both row sets.

        Raises
        ------
        InputError
            Where the other one is of other features, bins, task, classes or quantile, or only one is weighted.
        """
        if not isinstance(other, StressSketch):
            return NotImplemented
        return type(self)(self._sums + other._sums, self._reader)

    def save(self, path: str | Path) -> None:
        """Write the sketch to an npz of plain arrays; the model is not in it.

        Parameters
        ----------
        path : str or Path
            Ending in .npz.

        Raises
        ------
        InputError
            For another ending.
        """
        path = Path(path)
        if path.suffix.lower() != ".npz":
            raise InputError(f"A sketch is saved as .npz; got {path.name!r}.")
        save_sums(self._sums, path)

    def stress_curves(
        self, features: Features | None = None, *, quantile: float | None = None, **options: Any
    ) -> StressCurves:
        """Move the mean of each feature, with the weights changed as little as possible, and follow every metric.

        Parameters
        ----------
        features, **options
            As in `Study.stress_curves`, of a study of chunks.
        quantile : float, optional
            By default that of the sketch; another only for columns of few different values.

        Returns
        -------
        StressCurves
            With its frame, rankings, charts, notes and widget, as from the rows.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.stress_curves`; for another quantile, and a metric that the sketch was not made for.
        """
        return stress_curves(self, features, quantile=self.quantile if quantile is None else quantile, **options)

    _check_options = check_shared_options
    _curves_by_group = curves_by_group
    _equal_shifts = equal_shifts
    _notes: tuple[str, ...] = ()

    def _as_rows(self, *, ordered: bool = False) -> Rows:
        """Return the rows as curves of them are asked for; nothing else is."""
        return cast("Rows", SketchedRows(self._sums))

    def _bars(self, progress: bool) -> Any:
        """Show no bars: nothing is read."""
        return nullcontext()

    def _as_source(self) -> Study:
        """Return what results of the sketch refer to: the sums as they are now, whatever rows it takes up."""
        return cast("Study", self._without_model())

    @property
    def _model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return self._sums.plan.model_name

    @property
    def _has_model(self) -> bool:
        """Whether there is a model that can be called, to take up rows."""
        return self._reader.model is not None

    def _without_model(self) -> Self:
        """Return the same sums without the model."""
        return type(self)(self._sums, replace(self._reader, model=None))

    def __repr__(self) -> str:
        plan = self._sums.plan
        return (
            f"StressSketch of {count(self.n_rows, 'row')}, {count(len(plan.columns), 'column')}: {plan.outputs.task}, "
            f"{plan.model_name}, {'with' if plan.labelled else 'without'} y"
            f"{'' if plan.sample_weight is None else f', weighted by {plan.sample_weight}'}"
        )
