"""A random sample of rows in chunks, of the same rows however the chunks are added up, as a study of its own."""

# Rows are of any container.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data.frames import join_rows, take_rows
from tauscope.errors import InputError, InputTypeError
from tauscope.rows.outline import row_keys
from tauscope.rows.reading import Chunk, Reader, name_chunk_in_errors
from tauscope.study.study import Study
from tauscope.weights.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from tauscope.rows.passes import Passes


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Rows of one chunk, in its container, each with the random number it is drawn by."""

    key: Ints
    rows: Any
    y: NDArray[Any] | None
    weight: Floats | None

    def where(self, kept: Bools) -> SampledRows:
        """Return some of them, in their order."""
        if kept.all():
            return self
        index = np.flatnonzero(kept)
        rows = take_rows(self.rows, index)
        return SampledRows(
            self.key[index],
            rows,
            None if self.y is None else self.y[index],
            None if self.weight is None else self.weight[index],
        )


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows with the least keys of all that were read.

    Attributes
    ----------
    parts : tuple of SampledRows
        In the order of the chunks.
    n : int
        Most rows that are kept.
    n_rows : int
        Rows they were drawn from.
    """

    parts: tuple[SampledRows, ...]
    n: int
    n_rows: int

    def __add__(self, other: Sample) -> Sample:
        """Return the sample of both row sets."""
        return _least(Sample((*self.parts, *other.parts), self.n, self.n_rows + other.n_rows))

    @cached_property
    def key(self) -> Ints:
        """Of each row."""
        return np.concatenate([part.key for part in self.parts])


def draw_sample(passes: Passes, n: Any, seed: int) -> Sample:
    """Draw rows at random, each as likely as any other, without putting back.

    Parameters
    ----------
    passes : Passes
    n : int
        How many; all where there are no more.
    seed : int

    Raises
    ------
    InputTypeError, InputError
        For a number that is none, and no rows.
    """
    if isinstance(n, bool) or not isinstance(n, int | np.integer):
        raise InputTypeError(f"A sample takes a number of rows; got {n!r}. Try 20_000.")
    if n < 1:
        raise InputError(f"A sample takes one row at least; got {n}. Try 20_000.")
    sample: Sample | None = passes.total(_sample_chunk, int(n), seed, plus=Sample.__add__)
    if sample is None:
        raise InputError("A study needs at least one row; there are none. See what filtered them.")
    return sample


def sample_study(reader: Reader, sample: Sample) -> Study:
    """Return the study of a sample, its model called and its answers read as those of the chunks."""
    assert reader.model is not None
    options, parts = reader.options, sample.parts
    if len({part.y is None for part in parts}) > 1:
        raise InputError("Every chunk must come with y, or none; some have it and some have not.")
    with name_chunk_in_errors("the sample"):
        study = Study(
            reader.model.model,
            join_rows([part.rows for part in parts]),
            None if parts[0].y is None else np.concatenate([part.y for part in parts if part.y is not None]),
            sample_weight=_weights(parts),
            response_method=options.response_method,
            pos_label=options.pos_label,
            categorical_features=options.categorical_features,
            batch_rows=options.batch_rows,
            task=options.task,
            classes=options.classes,
            progress=False,
        )
    study._sampled_from = sample.n_rows
    return study


def _sample_chunk(chunk: Chunk, n: int, seed: int) -> Sample:
    return _least(Sample((SampledRows(row_keys(chunk, seed), chunk.rows, chunk.y, chunk.weight),), n, chunk.n_rows))


def _least(sample: Sample) -> Sample:
    if len(sample.key) <= sample.n:
        return sample
    last = np.partition(sample.key, sample.n - 1)[sample.n - 1]
    return replace(sample, parts=tuple(part.where(part.key <= last) for part in sample.parts))


def _weights(parts: tuple[SampledRows, ...]) -> Floats | None:
    weights = [part.weight for part in parts if part.weight is not None]
    return np.concatenate(weights) if weights else None
