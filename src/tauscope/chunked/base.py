"""What every verb of chunks stands on: passes over the rows, and what was learned from them."""

# Chunks and frames are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from tauscope.chunked.sample import draw_sample, sample_study
from tauscope.errors import InputError
from tauscope.model.calls import ResponseMethod
from tauscope.model.progress_bar import bars_shown
from tauscope.model.response import Response, find_response
from tauscope.results.image_shape import image_shape
from tauscope.rows.first_pass import FirstPass, first_pass
from tauscope.rows.in_chunks import InChunks
from tauscope.rows.kept import AnsweredChunks
from tauscope.rows.outline import Outline
from tauscope.rows.outputs import OutputStart, infer_outputs
from tauscope.rows.partitions import Partitions
from tauscope.rows.passes import ChunkPasses, PartitionPasses, Passes
from tauscope.rows.pixel_counts import CountedImages, ImageReader, count_pixels
from tauscope.rows.reading import Chunk, Reader
from tauscope.rows.schema import Schema
from tauscope.rows.sketches.sums import SketchSums, make_sums
from tauscope.rows.sources import ChunkSource, ReadChunks, left_behind
from tauscope.rows.spool import Spool
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.study.functions import FunctionRegistry
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.model.calls import Model
    from tauscope.stress.images import PixelCounts
    from tauscope.stress.sums.projection import SolvedStress
    from tauscope.stress.towards.margins import Margins
    from tauscope.study.base import StudyBase
    from tauscope.study.study import Study
    from tauscope.weights.arrays import Ints


class ChunkedBase:
    """A model and chunks, read as often as a question takes; `tauscope.ChunkedStudy` is what a person meets.

    Parameters
    ----------
    source : ChunkSource or Partitions
    reader : Reader
    progress : bool
        Whether bars show.

    Attributes
    ----------
    _sums : dict of float to SketchSums
        Behind stress curves, by the quantile that τ = ±1 stands for.
    _images : tuple of PixelCounts and Outcomes, or None
        Behind maps of pixels.
    _present_margins : dict of (Margins, bool) to Margins
        Of the rows, behind populations of other samples, by those wanted and whether with their covariance.
    _functions : FunctionRegistry
        Of moments that were asked about.
    """

    def __init__(self, source: ChunkSource | Partitions, reader: Reader, progress: bool) -> None:
        self._source, self._reader, self._shows_progress = source, reader, progress
        self._model_name = reader.model_name
        self._functions = FunctionRegistry()
        self._sums: dict[float, SketchSums] = {}
        self._images: tuple[PixelCounts, Outcomes] | None = None
        self._chunks: Iterable[Chunk] | None = None
        self._seen: list[Hashable] = []
        self._first: FirstPass | None = None
        self._ordered = False
        self._start: OutputStart | None = None
        self._cached_schema: Schema | None = None
        self._outline: Outline | None = None
        self._present_margins: dict[tuple[Margins, bool], Margins] = {}
        self._solved: list[tuple[object, SolvedStress]] = []
        self._samples: dict[tuple[int, int], tuple[Study, Ints]] = {}

    @property
    def n_rows(self) -> int:
        """Number of rows; read at first use."""
        return self._schema().n_rows

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns; read at first use."""
        return self._schema().feature_names

    @property
    def _task(self) -> Task:
        """One of "binary", "multiclass", "regression"; found at first use."""
        return self._schema().outputs.task

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """Labels in code order, the positive class last of two; empty for a regression. Found at first use."""
        return self._schema().outputs.classes

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual about the model's answers to the first chunk, a sentence each; found at first use."""
        if self._start is None:
            self._schema()
        return () if self._start is None else self._start.notes

    @property
    def _notes(self) -> tuple[str, ...]:
        """Those of the answers, for verbs."""
        return self.notes

    @property
    def _has_model(self) -> bool:
        """Whether there is a model that can be called."""
        return self._reader.model is not None

    @property
    def _asked_model(self) -> Model | None:
        """The model, where there is one."""
        return self._reader.model

    def _as_rows(self, *, ordered: bool = False) -> InChunks:
        """Return the rows as verbs take sums over them; read at first use, in their order where that is needed."""
        passes = self._passes()
        if ordered and self._cached_schema is None:
            self._first_pass(passes, ordered=True)
        return InChunks(passes, self._schema(passes), self._solved, self._sums_for, self._reader)

    def _sums_for(self, quantile: float, metrics: Sequence[str]) -> SketchSums:
        """Return the sums behind stress curves, of these metrics too; read where they are not there yet."""
        made = self._sums.get(quantile)
        asked = [*(() if made is None else made.plan.asked), *metrics]
        if made is None or not {one.name for one in made.plan.metrics(made.plan.units, True)}.issuperset(asked):
            passes = self._passes()
            first = self._first_pass(passes, ordered=True)
            start = self._outputs(passes, first)
            self._sums[quantile] = make_sums(passes, first, start, self._reader, quantile, asked)
        return self._sums[quantile]

    def _images_of(self, shape: object) -> CountedImages:
        """Return images of a shape, counted as they come; what was counted before is kept."""
        sizes = image_shape(shape)
        n_pixels = int(np.prod(sizes))
        if self._images is None or self._images[0].n_pixels != n_pixels:
            self._images = count_pixels(self._source, ImageReader(self._reader, n_pixels)).finish()
        return CountedImages(sizes, *self._images)

    def _as_outline(self) -> StudyBase:
        """Return the columns in outline, read at first use."""
        return cast("StudyBase", self._read_outline(self._passes()))

    def _as_source(self) -> Study:
        """Return this study as what results ask for more."""
        return cast("Study", self)

    def _without_model(self) -> Self:
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
        return self.__dict__ | {"_chunks": None, "_functions": FunctionRegistry(), "_solved": [], "_samples": {}}

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

    def _response(self, response_method: ResponseMethod, target_class: Hashable | None) -> Response:
        """Find what of the model's answers an effect follows."""
        model, schema = self._reader.model, self._schema()
        assert model is not None
        return find_response(model, schema.outputs, schema.example, response_method, target_class)

    def _check_effect(self) -> None:
        """Refuse an effect of a study without a model, or of chunks that can be read only once."""
        if isinstance(self._source, ChunkSource) and self._source.once:
            raise InputError("An effect reads the rows several times; got an iterator. Give a list, or a function.")
        self._check_model("An effect asks")

    def _check_model(self, what: str) -> None:
        """Refuse to go on without a model; `what` needs it."""
        if self._reader.model is not None:
            return
        if self._model_name == self._reader.model_name:
            raise InputError(f"{what} a model; got none. Give a fitted model, or a function of rows.")
        raise InputError(
            f"{what} the model; {self._model_name} was left behind when a result was pickled. Use "
            "result.with_source(study) with the study it was made of."
        )

    def _bars(self, progress: bool) -> Any:
        """Show bars while something is computed, where they are wanted."""
        return bars_shown(self._shows_progress and progress)

    def _passes(self) -> Passes:
        """Return passes over the rows, about each of which the model is asked once; Dask's workers keep no answers."""
        if isinstance(self._source, Partitions):
            return PartitionPasses(self._source, self._reader)
        if self._chunks is None:
            read = ReadChunks(self._source, self._reader)
            self._chunks = Spool(read) if self._source.once else AnsweredChunks(read) if self._has_model else read
        return ChunkPasses(self._chunks, self._seen, self._source.n_chunks)

    def _first_pass(self, passes: Passes, *, ordered: bool) -> FirstPass:
        """Return what one pass over the rows tells, with the order of their values where that is needed."""
        if self._first is None or (ordered and not self._ordered):
            self._first, self._ordered = first_pass(passes, ordered), ordered
        return self._first

    def _outputs(self, passes: Passes, first: FirstPass) -> OutputStart:
        """Return what the model's answers are."""
        if self._start is None:
            hints = replace(self._reader.hints, y=first.y)
            method = "" if self._reader.model is None else self._reader.model.method().name
            self._start = passes.first(infer_outputs, hints, self._model_name, method)
        return self._start

    def _read_outline(self, passes: Passes) -> Outline:
        """Return the columns in outline, read at first use."""
        if self._outline is None:
            self._outline = Outline.read(passes, self._schema(passes))
        return self._outline

    def _schema(self, passes: Passes | None = None) -> Schema:
        """Return columns, levels, labels and counts, read at first use."""
        if passes is None and self._cached_schema is None:
            with self._bars(True):
                return self._schema(self._passes())
        if self._cached_schema is None:
            assert passes is not None
            first = self._first_pass(passes, ordered=False)
            self._cached_schema = Schema.of(first, self._outputs(passes, first), self._model_name)
        return self._cached_schema

    def __repr__(self) -> str:
        read = self._cached_schema or self._first
        if read is None:
            return f"ChunkedStudy of {self._model_name}, no rows read yet"
        n_columns = len(read.columns)
        rows = f"{count(read.n_rows, 'row')} × {count(n_columns, 'column')}"
        weight = self._reader.options.sample_weight
        first = f"ChunkedStudy of {self._model_name} on {rows}{'' if weight is None else f', weighted by {weight}'}"
        return "\n".join([first, *(f"  {note}" for note in ([] if self._start is None else self._start.notes))])
