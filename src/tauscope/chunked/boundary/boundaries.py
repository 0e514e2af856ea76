"""Boundaries of rows that come in chunks: each chunk searched for itself, among the same rivals."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tauscope.boundary.space import Limits
from tauscope.errors import InputError
from tauscope.results.boundary.boundaries import Boundaries
from tauscope.rows.reading import Chunk, Reader, name_chunk_in_errors
from tauscope.study.boundary.search import Search, search
from tauscope.study.rows import choose_rows
from tauscope.study.study import Study

if TYPE_CHECKING:
    from tauscope.results.boundary.numbers import BoundaryNumbers
    from tauscope.results.boundary.spec import BoundarySpec
    from tauscope.rows.passes import Passes

Record = TypeVar("Record")


@dataclass(frozen=True, eq=False)
class ChunkOptions:
    """What is asked of every chunk.

    Attributes
    ----------
    spec : BoundarySpec
        With a seed.
    paths, certify : bool
        As in `Study.boundaries`.
    """

    spec: BoundarySpec
    paths: bool
    certify: bool


def chunked_boundaries(passes: Passes, rivals: Study, options: ChunkOptions, source: Study) -> Boundaries:
    """Search every chunk among the rivals, and put the results one after the other.

    Parameters
    ----------
    passes : Passes
    rivals : Study
        Handed to each process once: its rows are the rivals, and give the units of distance.
    options : ChunkOptions
    source : Study
        The study of the chunks.

    Returns
    -------
    Boundaries
        `row` counts the rows in the order of the chunks; `rival_row` is a position among the rivals.
    """
    found = passes.total(search_chunk, rivals, options, plus=joined)
    if found is None:
        raise InputError("Rows to inspect must be one at least; the chunks have none.")
    numbers = replace(found.numbers, row=np.arange(found.numbers.n))
    return Boundaries(found.spec, numbers, rivals._model_name, found.notes, source=source)


def rivals_study(reader: Reader, rivals: Any) -> Study:
    """Return the study of the rivals, its model called and its answers read as those of the chunks.

    Parameters
    ----------
    reader : Reader
    rivals : chunk
        Rows as a chunk gives them, with labels or without.

    Raises
    ------
    InputError, InputTypeError
        For no rows, or other columns.
    """
    assert reader.model is not None
    options = reader.options
    with name_chunk_in_errors("the rivals"):
        parts = reader.take_apart(rivals)
        return Study(
            reader.model.model,
            parts.X,
            parts.y,
            response_method=options.response_method,
            pos_label=options.pos_label,
            categorical_features=options.categorical_features,
            batch_rows=options.batch_rows,
            task=options.task,
            classes=options.classes,
            progress=False,
        )


def search_chunk(chunk: Chunk, rivals: Study, options: ChunkOptions) -> Search:
    """Search the boundaries of a chunk's rows."""

    def rows() -> Any:
        return choose_rows(rivals, chunk.rows)

    return search(
        rivals, rows, options.spec, progress=False, callback=None, paths=options.paths, certify=options.certify
    )


def joined(a: Search, b: Search) -> Search:
    """Put what was found for some rows after what was found for others."""
    notes = tuple(dict.fromkeys((*a.notes, *b.notes)))
    return replace(a, numbers=_joined_numbers(a.numbers, b.numbers), notes=notes)


def _joined_numbers(a: BoundaryNumbers, b: BoundaryNumbers) -> BoundaryNumbers:
    return replace(
        stacked(a, b),
        space=a.space,
        limits=Limits(
            np.concatenate([a.limits.lower, b.limits.lower]),
            np.concatenate([a.limits.upper, b.limits.upper]),
            a.limits.allowed,
        ),
        certificate=(*a.certificate, *b.certificate),
        inspection=replace(
            stacked(a.inspection, b.inspection),
            n_model_rows=a.inspection.n_model_rows + b.inspection.n_model_rows,
            spent=a.inspection.spent or b.inspection.spent,
        ),
        n_model_rows=a.n_model_rows + b.n_model_rows,
    )


def stacked(a: Record, b: Record) -> Record:
    """Join two records of the engine: every array along its first axis, records inside likewise, the rest as in a."""
    if not is_dataclass(a) or isinstance(a, type):
        return a
    changes: dict[str, Any] = {}
    for item in fields(a):
        one, other = getattr(a, item.name), getattr(b, item.name)
        if isinstance(one, np.ndarray):
            changes[item.name] = np.concatenate(cast("list[NDArray[Any]]", [one, other]))
        elif is_dataclass(one) and item.name not in ("space", "limits", "options"):
            changes[item.name] = stacked(one, other)
    return replace(a, **changes)
