"""The stress sketch: sums over rows that need not fit in memory, which answer as a study of them would."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tauscope.chunked.chunks import Reader, check_chunks
from tauscope.chunked.options import Fitted, asking
from tauscope.chunked.stress.sketch_sums import Sums, no_sums, sum_chunk
from tauscope.errors import InputError
from tauscope.model.model import Model, ResponseMethod
from tauscope.results.stress.curves import StressCurves
from tauscope.study.stress.curves import Features, check_fraction

if TYPE_CHECKING:
    from tauscope.study.study import TaskChoice


class StressSketch:
    """Sums over rows that need not fit in memory: from chunks, Parquet files or a Dask DataFrame.

    A sketch keeps sums, as many for each column whatever the number of rows (and some of the rows where they are
    weighted, see Notes), adds to others of the same bins (``a + b``), is saved as a plain npz, and gives the
    `StressCurves` that `Study.stress_curves` gives from the rows: every metric of the task with its interval, effective
    sample size, Pareto k̂, KL and total variation, to 1e-9.
    Metrics of scikit-learn and joint stresses need the rows; for the latter see `reweight_chunks`.

    Notes
    -----
    Rows are read three times: for ranges and levels; for the exact quantiles that τ = ±1 stand for, where the first
    reading left them open; and for the sums, when the model is asked. The first two are light. All chunks must give
    the same rows each time; an iterator that can be read only once is kept in an unnamed temporary file, 8 bytes a
    number, while the sketch is made.

    Columns of at most 256 different values (or of at most 2,048 rows) are kept value by value and answer for any
    quantile and any rows added later. The bins of other columns are made for the rows of the first reading: rows added
    later must lie in their range, and their intervals then agree with those in memory to about 1e-3 of their width
    and the values to 1e-7.

    Of weighted rows a sketch keeps sums of the first four powers of the weights, and for each column some of the rows,
    its value and the weight, 16 bytes a row: those that can be among the heaviest under one of its tilts, from which
    Pareto k̂ is told. Of n rows at the first reading these are 6√n for each value of a column kept value by value, and
    some ten times 6√n of another column. A million rows so leave 25 MB of a column of 256 values and 1 MB of one in
    bins, a hundred million ten times that; rows added later take the place of lighter ones.
    """

    def __init__(self, sums: Sums, reader: Reader | None = None) -> None:
        self._sums = sums
        self._reader = reader

    @classmethod
    def from_chunks(
        cls,
        model: Fitted,
        chunks: Callable[[], Iterable[Any]] | Iterable[Any],
        *,
        target: str | None = None,
        prediction: str | None = None,
        score: str | None = None,
        sample_weight: str | None = None,
        quantile: float = 0.05,
        response_method: ResponseMethod = "auto",
        pos_label: Hashable = None,
        categorical_features: Any = "infer",
        task: TaskChoice = "auto",
        classes: Sequence[Hashable] | None = None,
        batch_rows: int | None = None,
        progress: bool = True,
    ) -> Self:
        """Sketch rows that come in chunks.

        Parameters
        ----------
        model : as in `Study`, or None
            None where predictions come with the rows.
        chunks : callable or iterable
            A function that returns a new iterator at each call, ``lambda: pd.read_csv(path, chunksize=100_000)``; or
            any iterable. Each chunk is a frame or array; or a pair (X, y); or, where there is no model,
            (X, y, y_pred) or (X, y, y_pred, y_score). Empty chunks are passed over.
        target, prediction, score : str, optional
            Columns of the frames that are not inputs: the truth, and, where there is no model, what it predicted.
        sample_weight : str, optional
            Column of the frames that weights the rows, finite and not negative; not an input. All count alike by
            default.
        quantile : float
            Probability in (0, 0.5): τ = -1 and τ = +1 will stand for the `quantile` and 1 - `quantile` quantiles.
        response_method, pos_label, categorical_features, task, classes, batch_rows
            As in `Study`. What a function's answers are is found from the first chunk.
        progress : bool, default True
            Whether bars show.

        Returns
        -------
        StressSketch

        Raises
        ------
        InputError, InputTypeError
            As in `Study`, naming the chunk; for chunks with other columns, kinds or classes than the first; for no
            rows at all.
        """
        from tauscope.chunked.passes import chunk_passes
        from tauscope.chunked.stress.sketching import make_sums

        check_chunks(chunks)
        check_fraction("quantile", quantile, 0.5)
        how = (response_method, pos_label, categorical_features, task, classes, batch_rows)
        reader, asked = asking(model, target, prediction, score, sample_weight, *how)
        with chunk_passes(chunks, reader, shown=progress) as passes:
            return cls(make_sums(passes, asked, float(quantile)), reader)

    @classmethod
    def from_parquet(
        cls,
        model: Fitted,
        path: str | Path,
        *,
        target: str | None = None,
        columns: Sequence[str] | None = None,
        chunk_rows: int = 65_536,
        **options: Any,
    ) -> Self:
        """Sketch a Parquet file, or all of a folder, in chunks of rows.

        Parameters
        ----------
        model : as in `from_chunks`
        path : str or Path
            A file, or a folder whose .parquet files are read in the order of their names.
        target : str, optional
            The column that holds the truth.
        columns : sequence of str, optional
            Columns to read, the target aside; all by default.
        chunk_rows : int
            Most rows in memory at once.
        **options
            As in `from_chunks`.

        Raises
        ------
        ImportError
            Without pyarrow; names the extra to install.
        """
        from tauscope.chunked.parquet import parquet_chunks

        roles = [options.get(role) for role in ("prediction", "score", "sample_weight")]
        beside = [name for name in (target, *roles) if name is not None]
        chunks = parquet_chunks(Path(path), None if columns is None else [*columns, *beside], chunk_rows)
        return cls.from_chunks(model, chunks, target=target, **options)

    @classmethod
    def from_dask(
        cls,
        model: Fitted,
        frame: Any,
        *,
        target: str | None = None,
        prediction: str | None = None,
        score: str | None = None,
        sample_weight: str | None = None,
        quantile: float = 0.05,
        response_method: ResponseMethod = "auto",
        pos_label: Hashable = None,
        categorical_features: Any = "infer",
        task: TaskChoice = "auto",
        classes: Sequence[Hashable] | None = None,
        batch_rows: int | None = None,
    ) -> Self:
        """Sketch a Dask DataFrame, partition by partition, on whatever scheduler or cluster is current.

        Parameters
        ----------
        model : as in `from_chunks`
            Sent to the workers, which ask it about their partitions.
        frame : dask.dataframe.DataFrame
            Divisions need not be known. Computed two or three times: `frame.persist()` first where that is dear.
        target, prediction, score, sample_weight, quantile, response_method, pos_label, categorical_features, task, \
classes, batch_rows
            As in `from_chunks`.

        Raises
        ------
        FailedPartition
            Where a partition cannot be computed or the model fails on it: names the partition. Nothing is returned.
        InputError, InputTypeError
            As in `from_chunks`, naming the partition.
        """
        from tauscope.chunked.passes import PartitionPasses
        from tauscope.chunked.stress.sketching import make_sums

        check_fraction("quantile", quantile, 0.5)
        how = (response_method, pos_label, categorical_features, task, classes, batch_rows)
        reader, asked = asking(model, target, prediction, score, sample_weight, *how)
        return cls(make_sums(PartitionPasses(frame, reader), asked, float(quantile)), reader)

    @classmethod
    def load(cls, path: str | Path, model: Fitted = None) -> Self:
        """Read a sketch from a file.

        Parameters
        ----------
        path : str or Path
            As written by `save`.
        model : as in `from_chunks`, optional
            Needed to `update` it where the rows bring no predictions.

        Raises
        ------
        InputError
            For another file.
        """
        from tauscope.chunked.stress.sketch_file import load_sums

        asked = None if model is None else Model(model, progress=False)
        sums = load_sums(Path(path))
        return cls(sums, Reader(asked, sample_weight=sums.plan.sample_weight))

    @property
    def n_rows(self) -> int:
        """Rows summed so far."""
        return self._sums.n_rows

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(column.name for column in self._sums.plan.columns)

    @property
    def task(self) -> str:
        """One of "binary", "multiclass", "regression"."""
        return self._sums.plan.reading.task

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression."""
        return self._sums.plan.reading.classes

    @property
    def quantile(self) -> float:
        """τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles."""
        return self._sums.plan.quantile

    def empty(self) -> Self:
        """Return a sketch without rows over the same bins, to be filled elsewhere and added."""
        return type(self)(no_sums(self._sums.plan, tuple(c.levels for c in self._sums.columns)), self._reader)

    def update(self, X: Any, y: Any = None, y_pred: Any = None, y_score: Any = None) -> Self:
        """Add rows; the model is asked about them.

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
        reader = self._reader or Reader(None, sample_weight=self._sums.plan.sample_weight)
        plan, beside = self._sums.plan, [one for one in (y, y_pred, y_score) if one is not None]
        raw = X if not beside else (X, y) if reader.model is not None else (X, y, y_pred, y_score)
        chunk = replace(reader, names=self.feature_names)(raw, "these rows")
        if chunk is not None:
            self._sums = self._sums + sum_chunk(chunk, plan)
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
        from tauscope.chunked.stress.sketch_file import save_sums

        path = Path(path)
        if path.suffix.lower() != ".npz":
            raise InputError(f"A sketch is saved as .npz; got {path.name!r}.")
        save_sums(self._sums, path)

    def stress_curves(
        self,
        features: Features | None = None,
        *,
        taus: int | Sequence[float] = 21,
        quantile: float | None = None,
        metrics: str | Sequence[str] | None = None,
        confidence: float = 0.95,
    ) -> StressCurves:
        """Move the mean of each feature, all else as close as can be, and follow every metric.

        Parameters
        ----------
        features, taus, confidence
            As in `Study.stress_curves`.
        quantile : float, optional
            By default that of the sketch; another only for columns of few different values.
        metrics : str or sequence of str, optional
            Names of the task's metrics; all by default.

        Returns
        -------
        StressCurves
            With its frame, rankings, charts, notes and widget, as from the rows.

        Raises
        ------
        InputError
            For a metric of scikit-learn, which needs the rows; another quantile; or a feature that no stress can move.
        UnknownName
            For a feature or metric that is not there, with the nearest names.
        """
        from tauscope.chunked.stress.curves import sketch_curves

        return sketch_curves(self._sums, features, taus=taus, quantile=quantile, metrics=metrics, confidence=confidence)

    def __repr__(self) -> str:
        plan = self._sums.plan
        return (
            f"StressSketch of {self.n_rows:,} rows, {len(plan.columns)} columns: {plan.reading.task}, "
            f"{plan.model_name}, {'with' if plan.labelled else 'without'} y"
            f"{'' if plan.sample_weight is None else f', weighted by {plan.sample_weight}'}"
        )
