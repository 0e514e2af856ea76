"""The study of rows that need not fit in memory: a model and chunks, read as often as a question takes."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

from tauscope.arguments import checks_arguments
from tauscope.chunked.base import ChunkedBase
from tauscope.chunked.boundary.boundaries import ChunkOptions, chunked_boundaries, rivals_study
from tauscope.errors import InputError
from tauscope.results.boundary.spec import BoundaryOptions, BoundarySpec
from tauscope.rows.parquet import parquet_chunks
from tauscope.rows.partitions import Partitions
from tauscope.rows.reading import Fitted, Reader, ReadingOptions
from tauscope.rows.sources import CHUNK_ROWS, ChunkSource
from tauscope.study.boundary.boundaries import check_one_row_options
from tauscope.study.needs_rows import REASONS, SAMPLE_ROWS, needs_rows
from tauscope.study.sketches.sketch import StressSketch
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.metrics import select_own
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.model.calls import ResponseMethod
    from tauscope.results.boundary.boundaries import Boundaries
    from tauscope.study.study import Study, TaskChoice
    from tauscope.weights.seeds import RandomState


@checks_arguments
class ChunkedStudy(ChunkedBase):
    """A model and the rows it is judged on, which come in chunks and need not fit in memory.

    Has the verbs of `Study` that sums over rows can answer, with the same numbers to 1e-9 (ROC AUC and average
    precision within a bound that a note gives); the others say why they need the rows, and what to do instead. Nothing
    is read until something is asked.

    Parameters
    ----------
    model : as in `Study`, or None
        None where predictions come with the rows.
    chunks : callable or iterable
        A function that returns a new iterator at each call, ``lambda: pd.read_csv(path, chunksize=100_000)``; a
        collection; an iterator; or what gives batches itself: a dataset of pyarrow, a scanner, an Arrow table
        or reader, a DuckDB relation, a polars LazyFrame. Each chunk is a frame or array; or a pair (X, y); or, where
        there is no model, (X, y, y_pred) or (X, y, y_pred, y_score), with None for what is not there. Empty chunks
        are passed over. The model gets rows in the container of the chunk, of Arrow batches as pandas frames.
    target, prediction, score : str, optional
        Columns of the frames that are not inputs: the truth, and, where there is no model, what it predicted.
    sample_weight : str, optional
        Column of the frames that weights the rows, finite and not negative; not an input. All count alike by default.
    response_method, pos_label, categorical_features, batch_rows, task, classes
        As in `Study`. What a function's answers are is found from the first chunk.
    progress : bool, default True
        Whether bars show where reading takes longer than two seconds.

    Raises
    ------
    InputError, InputTypeError
        As in `Study`; for chunks that are no iterable, and predictions from both the model and the rows. When rows are
        read, naming the chunk: for chunks with other columns, kinds or classes than the first, and for no rows at all.

    Notes
    -----
    All chunks must give the same rows each time they are read. An iterator can be read only once, so that its rows are
    kept in an unnamed temporary file, 8 bytes a number, as long as the study lives, and the model is called as they are
    written; effects and the functions of a `Moment` need the rows themselves, from a function or a list. Where that one
    reading is interrupted, what it had read is lost, and the study says so when it is asked again; over a function or a
    list it answers.

    The model is asked once about each row, whatever is asked of the study after: its answers are kept in an unnamed
    temporary file too, 8 bytes a number up to 4 GiB. Dask's workers, which keep rows and no answers, ask it in each
    pass that needs them.

    What the first pass tells, which columns, levels and labels there are, is kept for all later questions, and so are
    the sums behind stress curves and maps of pixels: asking for these again reads nothing.

    Examples
    --------
    >>> halves = [(X_test[:150], y_test[:150]), (X_test[150:], y_test[150:])]
    >>> chunked = ts.ChunkedStudy(model, halves, progress=False)
    >>> chunked.stress_curves("mean radius", metrics="error_rate", taus=3).n_rows
    284
    """

    def __init__(
        self,
        model: Fitted,
        chunks: Callable[[], Iterable[Any]] | Iterable[Any],
        *,
        target: str | None = None,
        prediction: str | None = None,
        score: str | None = None,
        sample_weight: str | None = None,
        response_method: ResponseMethod = "auto",
        pos_label: Hashable = None,
        categorical_features: Any = "infer",
        batch_rows: int | None = None,
        task: TaskChoice = "auto",
        classes: Sequence[Hashable] | None = None,
        progress: bool = True,
    ) -> None:
        options = ReadingOptions(
            target, prediction, score, sample_weight, response_method, pos_label, categorical_features, task, classes,
            batch_rows,
        )  # fmt: skip
        super().__init__(ChunkSource(chunks), Reader.of(model, options), progress)

    @classmethod
    def from_parquet(
        cls,
        model: Fitted,
        path: str | Path | Sequence[str | Path],
        *,
        columns: Sequence[str] | None = None,
        chunk_rows: int = CHUNK_ROWS,
        **options: Any,
    ) -> Self:
        """Study a Parquet file, or all of a folder, in chunks of rows.

        Parameters
        ----------
        model : as in `ChunkedStudy`
        path : str, Path, or sequence of them
            A file; a folder, or a pattern such as ``"rows/*.parquet"``, whose files are read in the order of their
            names; or several of these.
        columns : sequence of str, optional
            Inputs to read; all other columns by default.
        chunk_rows : int, default 65,536
            Most rows in memory at once.
        **options
            As in `ChunkedStudy`, such as `target`.

        Returns
        -------
        ChunkedStudy

        Raises
        ------
        ImportError
            Without pyarrow; names the extra to install.
        InputError
            For a file that is no Parquet, or a folder without one.
        UnknownName
            For a column that is not there.
        """
        roles = ("target", "prediction", "score", "sample_weight")
        extra = [options[role] for role in roles if options.get(role) is not None]
        read = None if columns is None else [*columns, *extra]
        return cls(model, parquet_chunks(path, read, chunk_rows), **options)

    @classmethod
    def from_dask(cls, model: Fitted, frame: Any, **options: Any) -> Self:
        """Study a Dask DataFrame, partition by partition, on whatever scheduler or cluster is current.

        Parameters
        ----------
        model : as in `ChunkedStudy`
            Sent to the workers, which call it on their partitions.
        frame : dask.dataframe.DataFrame
            Divisions need not be known. On a cluster the workers keep its partitions from the first pass on, as long
            as the study lives, each about as many for a thread, where all of them take at most half of the workers'
            memory, as many as large as the first ones; else, and without a cluster, it is computed once for every
            pass.
        **options
            As in `ChunkedStudy`, such as `target`.

        Returns
        -------
        ChunkedStudy
            Its verbs raise `FailedPartition` where a partition cannot be computed or the model fails on it; it names
            the partition, and nothing is returned then.

        Raises
        ------
        ImportError
            Without Dask; names the extra to install.
        InputTypeError
            For anything but a Dask DataFrame.
        """
        study = cls(model, (), **options)
        study._source = Partitions(frame)
        return study

    def boundaries(
        self,
        rivals: Any,
        *,
        paths: bool = False,
        certify: bool = False,
        progress: bool = True,
        **options: Unpack[BoundaryOptions],
    ) -> Boundaries:
        """Find the smallest changes that flip the model's decisions for every row, chunk by chunk.

        Parameters
        ----------
        rivals : chunk
            Rows to seek rivals among, such as a sample, as a chunk gives them. They also give the units of distance,
            and have to have every level that the chunks have.
        paths : bool, default False
            Whether the model is asked along each direction, and the answers kept.
        certify : bool, default False
            As in `Study.boundaries`.
        progress : bool, default True
            Whether bars show after two seconds.
        **options
            As in `Study.boundaries`; `max_model_rows` is for each chunk.

        Returns
        -------
        Boundaries
            What ``Study(model, rivals).boundaries(rows)`` gives for all rows in memory. `row` counts the rows in the
            order of the chunks; `rival_row` is a position among the rivals.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.boundaries`, for a study of predictions, and for chunks that can be read only once.
        """
        if isinstance(self._source, ChunkSource) and self._source.once:
            raise InputError("Boundaries need the rows themselves; got an iterator. Give a list, or a function.")
        self._check_model("Boundaries ask")
        check_one_row_options(options)
        spec = BoundarySpec(**options)
        spec = replace(spec, random_state=seed_of(spec.random_state))
        study = rivals_study(self._reader, rivals)
        with self._bars(progress):
            return chunked_boundaries(self._passes(), study, ChunkOptions(spec, paths, certify), self._as_source())

    def sample(self, n: int = SAMPLE_ROWS, *, random_state: RandomState = 0, progress: bool = True) -> Study:
        """Draw rows at random, for what needs rows in memory.

        Parameters
        ----------
        n : int, default 20,000
            Rows drawn, each as likely as any other; all where there are no more.
        random_state : int, Generator or None, default 0
            By which they are drawn: the same rows for the same chunks.
        progress : bool, default True
            Whether a bar shows after two seconds.

        Returns
        -------
        Study
            In the order of the chunks, with their labels and weights; the model is asked about them.

        Raises
        ------
        InputError, InputTypeError
            For a number of rows that is none, a study of predictions, and chunks that can be read only once.
        """
        return self._sampled(n, seed_of(random_state), progress)[0]

    def sketch(
        self,
        *,
        quantile: float = 0.05,
        metrics: str | Sequence[str] | None = None,
        progress: bool = True,
    ) -> StressSketch:
        """Sum up the rows for stress curves: sums to save, to load, to add and to take up more rows.

        Parameters
        ----------
        quantile : float, default 0.05
            Probability in (0, 0.5): τ = -1 and τ = +1 will stand for the `quantile` and 1 - `quantile` quantiles.
        metrics : str or sequence of str, optional
            Metrics to sum for besides those that every sketch answers: "log_loss", "brier_score_loss",
            "mean_absolute_error", "bias", "r2", of several classes "balanced_accuracy" and "recall_<class>". "roc_auc"
            and "average_precision" take up to a thousand sums more for each bin of a column, see Notes.
        progress : bool, default True
            Whether bars show after two seconds.

        Returns
        -------
        StressSketch

        Raises
        ------
        InputError, InputTypeError
            For rows that cannot be read, naming the chunk, and for none; see `ChunkedStudy`.

        Notes
        -----
        Rows are read three times: for ranges and levels; for the exact quantiles that τ = ±1 stand for, where the first
        pass left them open; and for the sums, when the model is called. The first two are light.

        ROC AUC and average precision follow from the weight of both classes in up to 256 steps of the score, laid out
        in one more pass that calls the model. They take up to 256 MB for all columns; where that would be more, the
        steps are fewer, but never below 32. Few different scores have a step each, and the numbers are then those of
        the rows; else a note says how far they can be off.
        """
        check_fraction("quantile", quantile, 0.5)
        with self._bars(progress):
            rows = self._as_rows(ordered=True)
            asked = select_own(rows.summed, metrics, "A sketch")
            return StressSketch(self._sums_for(float(quantile), asked), self._reader)

    # each is written once, in the room of its topic; its first parameter is the study
    from tauscope.chunked.paired import pair_with as _pair_with
    from tauscope.chunked.rules.verbs import distribution, rule_list, rules, same_decision, sufficient, swing_rules
    from tauscope.chunked.towards import approach_chunks as _approach, read_target as _read_target
    from tauscope.study.effects.by_group import effect_by_group as _effect_by_group
    from tauscope.study.effects.effect import effect, effect_from as _effect_from
    from tauscope.study.needs_rows import check_new_rows as _check_new_rows, check_shared_options as _check_options
    from tauscope.study.stress.by_group import metrics_by, metrics_by_group as _metrics_by_group
    from tauscope.study.stress.calibration import calibration
    from tauscope.study.stress.curves import stress_curves
    from tauscope.study.stress.curves_by_group import curves_by_group as _curves_by_group
    from tauscope.study.stress.harm import equal_shifts as _equal_shifts
    from tauscope.study.stress.image import stress_image
    from tauscope.study.stress.reweight import reweight
    from tauscope.study.stress.thresholds import threshold_curves
    from tauscope.study.stress.towards.towards import reweight_towards as _reweight_towards, towards
    from tauscope.study.stress.worst_case import worst_case

    if not TYPE_CHECKING:  # a checker of types finds no such verbs, as autocompletion does not

        def __getattr__(self, name: str) -> Any:
            if name in REASONS:
                raise needs_rows(name)
            return self.__getattribute__(name)  # raises again what a property raised
