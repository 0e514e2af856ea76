"""The study of rows that need not fit in memory: a model and chunks, read as often as a question takes."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack, cast

import numpy as np
import pandas as pd

from tauscope.chunked.boundary.boundaries import ChunkOptions, chunked_boundaries, rivals_study
from tauscope.chunked.effects.effect import check_spec, chunked_effect
from tauscope.chunked.first_pass import FirstPass, first_pass
from tauscope.chunked.needs_rows import CURVES_OPTIONS, EFFECT_OPTIONS, check_options, needs_rows
from tauscope.chunked.outputs import OutputStart, infer_outputs
from tauscope.chunked.parquet import parquet_chunks
from tauscope.chunked.partitions import Partitions
from tauscope.chunked.passes import ChunkPasses, PartitionPasses, Passes
from tauscope.chunked.reading import Fitted, Reader, ReadingOptions
from tauscope.chunked.rules.counts import count_on_others
from tauscope.chunked.rules.same_decision import chunked_same_decision
from tauscope.chunked.sample import SAMPLE_ROWS, draw_sample, sample_study
from tauscope.chunked.schema import Schema
from tauscope.chunked.sources import CHUNK_ROWS, ChunkSource, ReadChunks, left_behind
from tauscope.chunked.spool import Spool
from tauscope.chunked.stress.pixel_counts import ImageReader, count_pixels
from tauscope.chunked.stress.reweight import reweight_chunks
from tauscope.chunked.stress.sketch import StressSketch
from tauscope.chunked.stress.sketch_sums import SketchSums, make_sums
from tauscope.errors import InputError
from tauscope.model.progress_bar import bars_shown
from tauscope.results.boundary.spec import BoundaryOptions, BoundarySpec
from tauscope.results.effects.spec import MOST_POINTS, EffectSpec
from tauscope.results.image_shape import image_shape
from tauscope.results.rules.spec import ForestOptions, RulesOptions, RulesSpec, SufficientOptions
from tauscope.results.stress.image import StressImage
from tauscope.results.stress.taus import tau_grid
from tauscope.stress.images import PixelCounts
from tauscope.stress.joint.constraints import as_stress
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study.boundary.boundaries import check_one_row_options
from tauscope.study.functions import FunctionRegistry
from tauscope.study.rules.options import check_names
from tauscope.study.rules.same_decision import OwnDecisions
from tauscope.study.stress.curves import check_fraction
from tauscope.study.stress.image import image_from_counts
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.chunked.effects.effect import ChunkedKind
    from tauscope.model.calls import ResponseMethod
    from tauscope.model.progress_bar import Callback
    from tauscope.results.base import Source
    from tauscope.results.boundary.boundaries import Boundaries
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.spec import Spacing
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rule_list import RuleList
    from tauscope.results.rules.rules import Rules
    from tauscope.results.rules.sufficient import SufficientExplanation
    from tauscope.results.rules.swing_rules import SwingRules
    from tauscope.results.stress.curves import StressCurves
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.stress.joint.constraints import Constraint, Stress
    from tauscope.study.stress.curves import Features
    from tauscope.study.study import Study, TaskChoice
    from tauscope.weights.arrays import Ints
    from tauscope.weights.seeds import RandomState


class ChunkedStudy:
    """A model and the rows it is judged on, which come in chunks and need not fit in memory.

    Has the verbs of `Study` that sums over rows can answer, with the same numbers to 1e-9; the others say why they
    need the rows, and what to do instead. Nothing is read until something is asked.

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
    written; effects and the functions of a `Moment` need the rows themselves, from a function or a list.

    What the first pass tells, which columns, levels and labels there are, is kept for all later questions, and so are
    the sums behind stress curves and maps of pixels: asking for these again reads nothing.
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
        self._source: ChunkSource | Partitions = ChunkSource(chunks)
        options = ReadingOptions(
            target, prediction, score, sample_weight, response_method, pos_label, categorical_features, task, classes,
            batch_rows,
        )  # fmt: skip
        self._reader = Reader.of(model, options)
        self._model_name = self._reader.model_name
        self._progress = progress
        self.functions = FunctionRegistry()
        self._spool: Spool | None = None
        self._first: FirstPass | None = None
        self._ordered = False
        self._start: OutputStart | None = None
        self._cached_schema: Schema | None = None
        self._sums: dict[float, SketchSums] = {}
        self._images: tuple[PixelCounts, Outcomes] | None = None
        self._samples: dict[tuple[int, int], tuple[Study, Ints]] = {}

    @classmethod
    def from_parquet(
        cls,
        model: Fitted,
        path: str | Path,
        *,
        columns: Sequence[str] | None = None,
        chunk_rows: int = CHUNK_ROWS,
        **options: Any,
    ) -> Self:
        """Study a Parquet file, or all of a folder, in chunks of rows.

        Parameters
        ----------
        model : as in `ChunkedStudy`
        path : str or Path
            A file, or a folder whose .parquet files are read in the order of their names.
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
        return cls(model, parquet_chunks(Path(path), read, chunk_rows), **options)

    @classmethod
    def from_dask(cls, model: Fitted, frame: Any, **options: Any) -> Self:
        """Study a Dask DataFrame, partition by partition, on whatever scheduler or cluster is current.

        Parameters
        ----------
        model : as in `ChunkedStudy`
            Sent to the workers, which call it on their partitions.
        frame : dask.dataframe.DataFrame
            Divisions need not be known. Computed once for every pass: `frame.persist()` first where that is dear.
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

    @property
    def n_rows(self) -> int:
        """Number of rows; read at first use."""
        return self._schema().n_rows

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns; read at first use."""
        return self._schema().feature_names

    @property
    def task(self) -> Task:
        """One of "binary", "multiclass", "regression"; found at first use."""
        return self._schema().outputs.task

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression. Found at first use."""
        return self._schema().outputs.classes

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return self._model_name

    @property
    def has_model(self) -> bool:
        """Whether there is a model that can be called."""
        return self._reader.model is not None

    def as_source(self) -> Source:
        """Return this study as what results ask for more."""
        return cast("Source", self)

    def sketch(self, *, quantile: float = 0.05, progress: bool = True) -> StressSketch:
        """Sum up the rows for stress curves: sums to save, to load, to add and to take up more rows.

        Parameters
        ----------
        quantile : float, default 0.05
            Probability in (0, 0.5): τ = -1 and τ = +1 will stand for the `quantile` and 1 - `quantile` quantiles.
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
        """
        check_fraction("quantile", quantile, 0.5)
        quantile = float(quantile)
        if quantile not in self._sums:
            with self._bars(progress):
                passes = self._passes()
                first = self._first_pass(passes, ordered=True)
                start = self._outputs(passes, first)
                self._sums[quantile] = make_sums(passes, first, start, self._reader, quantile)
        return StressSketch(self._sums[quantile], self._reader)

    def stress_curves(
        self,
        features: Features | None = None,
        *,
        taus: int | Sequence[float] = 21,
        quantile: float = 0.05,
        metrics: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        progress: bool = True,
        **options: Any,
    ) -> StressCurves:
        """Move the mean of one feature at a time, with the weights changed as little as possible, and follow the model.

        Parameters
        ----------
        features, taus, quantile, confidence
            As in `Study.stress_curves`.
        metrics : str or sequence of str, optional
            Names of the task's own metrics, such as "error_rate"; all by default.
        progress : bool, default True
            Whether bars show after two seconds.
        **options
            Others of `Study.stress_curves`, as they are there by default: they need the rows.

        Returns
        -------
        StressCurves
            With its frame, rankings, charts, notes and widget, as from rows in memory; from the sums of `sketch`.

        Raises
        ------
        UnknownName
            For a feature or metric that is not there, with the nearest names.
        InputError
            For a metric of scikit-learn, which needs the rows; a feature that no stress can move; or a number out of
            its range.
        """
        check_options("stress_curves", options, CURVES_OPTIONS)
        sketch = self.sketch(quantile=quantile, progress=progress)
        curves = sketch.stress_curves(features, taus=taus, metrics=metrics, confidence=confidence)
        return replace(curves, source=self.as_source())

    def stress_image(
        self,
        shape: tuple[int, ...],
        *,
        taus: int | Sequence[float] = (-1, 0, 1),
        quantile: float = 0.05,
        metrics: str | Sequence[str] | None = None,
        confidence: float = 0.95,
        progress: bool = True,
    ) -> StressImage:
        """Move the mean of each pixel, one at a time, and map what the classifier does, from 8-bit images.

        Parameters
        ----------
        shape : tuple of int
            (height, width) or (height, width, channels). The inputs of a chunk are a uint8 array of shape
            (n_images, …) whose remaining sizes make one image, slices of a memory map for instance, which the model
            gets as they are; or a frame of that many columns of bytes.
        taus, quantile, metrics, confidence
            As in `Study.stress_image`.
        progress : bool, default True
            Whether a bar shows after two seconds.

        Returns
        -------
        StressImage
            Exact. Each chunk is read once and forgotten, an iterator's too, and no other pass is made.

        Raises
        ------
        InputError
            For images of another shape, lengths that differ, labels that are not among the classes, fewer than two
            classes, no images, weighted images or a regression; the message says which chunk.
        InputTypeError
            For images that are not uint8.
        UnknownName
            For a metric or a class that is not there.
        """
        tau_grid(taus)
        check_fraction("quantile", quantile, 0.5)
        check_fraction("confidence", confidence, 1.0)
        sizes = image_shape(shape)
        n_pixels = int(np.prod(sizes))
        if self._images is None or self._images[0].n_pixels != n_pixels:
            with self._bars(progress):
                self._images = count_pixels(self._source, ImageReader(self._reader, n_pixels)).finish()
        return image_from_counts(
            *self._images,
            sizes,
            taus=taus,
            quantile=float(quantile),
            metrics=metrics,
            confidence=float(confidence),
            progress=self._progress and progress,
            model_name=self.model_name,
        )

    def reweight(
        self,
        stress: Constraint | Stress,
        *,
        quantile: float = 0.05,
        confidence: float = 0.95,
        progress: bool = True,
    ) -> Reweighting:
        """Find the reweighting under which a stress holds.

        Parameters
        ----------
        stress : Constraint or Stress
            As in `Study.reweight`; what a `Moment` takes is a function.
        quantile : float, default 0.05
            Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
        confidence : float, default 0.95
            Level of the intervals of the metrics, in (0, 1).
        progress : bool, default True
            Whether bars show after two seconds.

        Returns
        -------
        Reweighting
            The numbers of `Study.reweight` to 1e-9; its `weights` are None, and what needs one for each row says so.

        Raises
        ------
        InfeasibleTarget
            When no weights meet the targets.
        DependentConstraints
            When one constraint follows from, or contradicts, the others.
        InputError, InputTypeError
            For a target at the edge of what the rows allow, which needs them in memory; for rows that cannot be read.

        Notes
        -----
        Newton's method on the dual, its gradient and Hessian summed over the chunks: a pass for each of its three to
        ten steps, besides some five for ranges, targets and metrics. The model is called at the last two alone, unless
        a constraint is about its answers; where calling it is dear, put its answers into the rows (`prediction`,
        `score`).
        """
        resolved = self.functions.with_functions(as_stress(stress))
        check_fraction("quantile", quantile, 0.5)
        check_fraction("confidence", confidence, 1.0)
        with self._bars(progress):
            passes = self._passes()
            result = reweight_chunks(
                passes, self._schema(passes), resolved, float(quantile), float(confidence), self.as_source()
            )
        return replace(result, stress=self.functions.name_functions(resolved))

    def effect(
        self,
        feature: str | int | Sequence[str | int],
        *,
        kind: ChunkedKind = "pd",
        grid: Any = MOST_POINTS,
        spacing: Spacing = "quantile",
        response_method: ResponseMethod = "auto",
        target_class: Hashable | None = None,
        window: float | None = None,
        confidence: float = 0.95,
        progress: bool = True,
        **options: Any,
    ) -> FeatureEffect:
        """Compute what the model's answer is along one feature, or over two.

        Parameters
        ----------
        feature, grid, spacing, response_method, target_class, window, confidence
            As in `Study.effect`. Two features with kind "pd" or "cd".
        kind : {"pd", "cd", "ale"}, default "pd"
            As there; an accumulated effect is of one feature of numbers, as levels are put in order of similarity,
            which needs the rows.
        progress : bool, default True
            Whether bars show after two seconds.
        **options
            Others of `Study.effect`, as they are there by default: they need the rows.

        Returns
        -------
        FeatureEffect
            The numbers of `Study.effect`, on the same grid, to 1e-9. Individual curves are not kept, so that it has no
            `ice`, `bounds`, `breakdown` or `regions`, and cannot be put under a stress.

        Raises
        ------
        UnknownName
            For a feature, level or class that is not there, with the nearest names.
        InputError, InputTypeError
            For a constant feature, a grid that cannot be used, a study without a model, or chunks that can be read
            only once.
        """
        check_options("effect", options, EFFECT_OPTIONS)
        spec = EffectSpec(
            feature,
            kind=kind,
            grid=grid,
            spacing=spacing,
            response_method=response_method,
            target_class=target_class,
            window=window,
            confidence=confidence,
        )
        return self.effect_from(spec, progress=progress)

    def effect_from(
        self, spec: EffectSpec, *, progress: bool = True, callback: Callback | None = None
    ) -> FeatureEffect:
        """Compute an effect from a record of its options, such as another effect's changed with `dataclasses.replace`.

        Parameters
        ----------
        spec : EffectSpec
            As in `effect`.
        progress : bool, default True
            Whether bars show after two seconds.
        callback : callable, optional
            Not called: a pass over the chunks is not stopped half-way.

        Returns
        -------
        FeatureEffect

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `effect`.
        """
        if isinstance(self._source, ChunkSource) and self._source.once:
            raise InputError("An effect reads its rows several times; got an iterator. Give a list, or a function.")
        self._check_model("An effect asks")
        check_spec(spec)
        with self._bars(progress):
            passes = self._passes()
            return chunked_effect(passes, self._schema(passes), self._reader, spec, self.as_source())

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
            return chunked_boundaries(self._passes(), study, ChunkOptions(spec, paths, certify), self.as_source())

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

    def sufficient(
        self, row: Any, *, sample: int = SAMPLE_ROWS, progress: bool = True, **options: Unpack[SufficientOptions]
    ) -> SufficientExplanation:
        """Find the fewest values of a row that leave its decision probable enough, by a forest fitted on a sample.

        Parameters
        ----------
        row : new values, or int
            As in `Study.sufficient`; a position is one among the rows of `sample(…)`.
        sample : int, default 20,000
            Rows drawn at random, by `random_state`, that the forest is fitted on; all where there are no more.
        progress : bool, default True
            Whether a bar shows after two seconds.
        **options
            As in `Study.sufficient`.

        Returns
        -------
        SufficientExplanation
            That of the sample in memory; it says of how many rows the sample is.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.sufficient` and `sample`.
        """
        study, _ = self._rules_sample(sample, options, progress)
        return study.sufficient(row, **options)

    def rules(
        self,
        row: Any,
        *,
        sample: int = SAMPLE_ROWS,
        max_rules: int = 5,
        progress: bool = True,
        **options: Unpack[RulesOptions],
    ) -> Rules:
        """Find how far the sufficient values of a row can move, by a forest fitted on a sample; count on all rows.

        Parameters
        ----------
        row, sample, progress
            As in `sufficient`.
        max_rules, **options
            As in `Study.rules`.

        Returns
        -------
        Rules
            Coverage and precision are counted on all rows but those that the forest was fitted on, in one more pass
            over the chunks; where an edge is moved in the widget, on the sample. A proof is for the ranges of the
            sample's rows.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.rules` and `sample`.
        """
        study, keys = self._rules_sample(sample, options, progress)
        found = study.rules(row, max_rules=max_rules, **options)
        return replace(found, rules=self._counted(study, keys, found.spec, found.rules, progress))

    def same_decision(
        self,
        subset: str | int | Sequence[str | int],
        *,
        sample: int = SAMPLE_ROWS,
        progress: bool = True,
        **options: Unpack[ForestOptions],
    ) -> pd.Series:
        """Say how probable the decision of every row is, given its values of some features, chunk by chunk.

        Parameters
        ----------
        subset, **options
            As in `Study.same_decision`.
        sample, progress
            As in `sufficient`.

        Returns
        -------
        Series of shape (n_rows,)
            In the order of the chunks, by a forest fitted on the sample: 16 bytes a row are all that is kept.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.same_decision` and `sample`; and for a level of the subset that the sample lacks.
        """
        check_names(options, "subset", "sample", known=ForestOptions.__optional_keys__)
        study, _ = self._rules_sample(sample, options, progress)
        probabilities = OwnDecisions.of(study, subset, options)
        with self._bars(progress):
            sdp = chunked_same_decision(self._passes(), probabilities, study.output_spec)
        return pd.Series(sdp, name="sdp")

    def swing_rules(
        self,
        row: Any,
        *,
        sample: int = SAMPLE_ROWS,
        max_rules: int = 5,
        prove: bool = False,
        progress: bool = True,
        **options: Unpack[RulesOptions],
    ) -> SwingRules:
        """Find the nearest values under which a decision would be another, by a forest fitted on a sample.

        Parameters
        ----------
        row, sample, progress
            As in `sufficient`.
        max_rules, prove, **options
            As in `Study.swing_rules`.

        Returns
        -------
        SwingRules
            Counted as in `rules`.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.swing_rules` and `sample`.
        """
        study, keys = self._rules_sample(sample, options, progress)
        found = study.swing_rules(row, max_rules=max_rules, prove=prove, **options)
        counted = self._counted(study, keys, found.spec, tuple(one.rule for one in found), progress)
        swings = tuple(replace(one, rule=rule) for one, rule in zip(found, counted, strict=True))
        return replace(found, swings=swings)

    def rule_list(
        self,
        *,
        sample: int = SAMPLE_ROWS,
        share: float = 0.9,
        max_rules: int | None = None,
        n_rows: int = 300,
        prove: bool = False,
        progress: bool = True,
        **options: Unpack[RulesOptions],
    ) -> RuleList:
        """Summarise a model by few rules that cover most rows, by a forest fitted on a sample; count on all rows.

        Parameters
        ----------
        sample, progress
            As in `sufficient`.
        share, max_rules, n_rows, prove, **options
            As in `Study.rule_list`; `n_rows` are drawn from the sample.

        Returns
        -------
        RuleList
            Each rule counted as in `rules`; the share covered and the agreement are those of the sample.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `Study.rule_list` and `sample`.
        """
        study, keys = self._rules_sample(sample, options, progress)
        found = study.rule_list(share=share, max_rules=max_rules, n_rows=n_rows, prove=prove, **options)
        return replace(found, rules=self._counted(study, keys, found.spec.rules, found.rules, progress))

    attack = needs_rows("attack")
    boundary = needs_rows("boundary")
    effects = needs_rows("effects")
    joint_stress = needs_rows("joint_stress")
    pooled_boundary = needs_rows("pooled_boundary")
    predict = needs_rows("predict")
    predict_row = needs_rows("predict_row")
    randomize_model = needs_rows("randomize_model")
    refit_curves = needs_rows("refit_curves")
    stress_surface = needs_rows("stress_surface")
    under = needs_rows("under")
    where = needs_rows("where")

    def without_model(self) -> Self:
        """Return what a pickled result takes along: what is known of the rows, without model and chunks.

        Stress curves and maps of pixels that were summed before answer for any τ; what reads the rows says that they
        were left behind.
        """
        bare = type(self).__new__(type(self))
        left = {"_source": ChunkSource(left_behind), "_reader": replace(self._reader, model=None), "_first": None}
        bare.__dict__.update(self.__getstate__() | left)
        return bare

    def __getstate__(self) -> dict[str, Any]:
        # a temporary file does not pickle, nor do most functions
        return self.__dict__ | {"_spool": None, "functions": FunctionRegistry(), "_samples": {}}

    def _sampled(self, n: int, seed: int, progress: bool) -> tuple[Study, Ints]:
        """Return the study of a sample and the keys of its rows."""
        if isinstance(self._source, ChunkSource) and self._source.once:
            raise InputError("A sample needs the rows themselves; got an iterator. Give a list, or a function.")
        self._check_model("A sample asks")
        if (n, seed) not in self._samples:
            with self._bars(progress):
                drawn = draw_sample(self._passes(), n, seed)
            self._samples = {(n, seed): (sample_study(self._reader, drawn), drawn.key)}
        return self._samples[n, seed]

    def _rules_sample(self, n: int, options: ForestOptions, progress: bool) -> tuple[Study, Ints]:
        """Return the sample that rules are made on; in the options a generator gives way to its seed."""
        options["random_state"] = seed_of(options.get("random_state", 0))
        return self._sampled(n, options["random_state"], progress)

    def _counted(
        self, study: Study, keys: Ints, spec: RulesSpec, rules: tuple[Rule, ...], progress: bool
    ) -> tuple[Rule, ...]:
        """Return rules with coverage and precision of all rows but those their forest was fitted on."""
        with self._bars(progress):
            return count_on_others(self._passes(), study, keys, spec, rules)

    def _check_model(self, what: str) -> None:
        if self._reader.model is not None:
            return
        if self._model_name == self._reader.model_name:
            raise InputError(f"{what} a model; got none. Give a fitted model, or a function of rows.")
        raise InputError(
            f"{what} the model; {self._model_name} was left behind when a result was pickled. Use "
            "result.with_source(study) with the study it was made of."
        )

    def _bars(self, progress: bool) -> Any:
        return bars_shown(self._progress and progress)

    def _passes(self) -> Passes:
        """Return passes over the rows; those of an iterator from a temporary file."""
        if isinstance(self._source, Partitions):
            return PartitionPasses(self._source, self._reader)
        if not self._source.once:
            return ChunkPasses(ReadChunks(self._source, self._reader))
        if self._spool is None:
            self._spool = Spool(ReadChunks(self._source, self._reader))
        return ChunkPasses(self._spool)

    def _first_pass(self, passes: Passes, *, ordered: bool) -> FirstPass:
        if self._first is None or (ordered and not self._ordered):
            self._first, self._ordered = first_pass(passes, ordered), ordered
        return self._first

    def _outputs(self, passes: Passes, first: FirstPass) -> OutputStart:
        if self._start is None:
            hints = replace(self._reader.hints, y=first.y)
            self._start = passes.first(infer_outputs, hints, self.model_name)
        return self._start

    def _schema(self, passes: Passes | None = None) -> Schema:
        if passes is None and self._cached_schema is None:
            with self._bars(True):
                return self._schema(self._passes())
        if self._cached_schema is None:
            assert passes is not None
            first = self._first_pass(passes, ordered=False)
            self._cached_schema = Schema.of(first, self._outputs(passes, first), self.model_name)
        return self._cached_schema

    def __repr__(self) -> str:
        read = self._cached_schema or self._first
        if read is None:
            return f"ChunkedStudy of {self.model_name}, no rows read yet"
        n_columns = len(read.columns)
        rows = f"{read.n_rows:,} rows × {n_columns} column{'s' * (n_columns > 1)}"
        weight = self._reader.options.sample_weight
        return f"ChunkedStudy of {self.model_name} on {rows}{'' if weight is None else f', weighted by {weight}'}"
