"""What every result is: numbers with a title and notes, that can be shown, saved, pickled and asked more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.arguments import checks_arguments
from tauscope.data.columns import Column
from tauscope.data.table_rows import TableRows
from tauscope.errors import InputError
from tauscope.model.response import Response
from tauscope.results import show
from tauscope.results.display import TEXT, only_text_is_shown
from tauscope.words import isolated

if TYPE_CHECKING:
    from tauscope.stress.outcomes import Outcomes


class Source(Protocol):
    """What a result was made of, as far as results ask for more of it; `Study` is one.

    The verbs are those of `Study`, with its arguments.
    """

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns."""
        ...

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual about the model's answers, a sentence each."""
        ...

    @property
    def has_model(self) -> bool:
        """Whether there is a model that can be called."""
        ...

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        ...

    @property
    def sample_weight(self) -> NDArray[np.float64] | None:
        """Weights with mean 1; None where all rows count alike."""
        ...

    @property
    def X(self) -> Any:
        """The rows, in the container they were given in."""
        ...

    @property
    def y(self) -> NDArray[Any] | None:
        """True labels or values as given."""
        ...

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, in the order of their codes; none of a regression."""
        ...

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns as the engines read them."""
        ...

    @property
    def data_hash(self) -> str:
        """By which the same data are known again."""
        ...

    @property
    def random_state(self) -> int | None:
        """Seed of rows that were drawn, else None."""
        ...

    @property
    def rows(self) -> TableRows:
        """The rows as the engines take them: copies of some, a column or two changed in its own type."""
        ...

    @property
    def outcomes(self) -> Outcomes:
        """Predictions and truth as the engines take them."""
        ...

    def without_model(self) -> Source:
        """Return the same without its model, caches and the user's own functions: what a pickled result keeps."""
        ...

    def stress_curves(self, *args: Any, **options: Any) -> Any:
        """See `Study.stress_curves`."""
        ...

    def stress_image(self, *args: Any, **options: Any) -> Any:
        """See `Study.stress_image`."""
        ...

    def joint_stress(self, *args: Any, **options: Any) -> Any:
        """See `Study.joint_stress`."""
        ...

    def reweight(self, *args: Any, **options: Any) -> Any:
        """See `Study.reweight`."""
        ...

    def metrics_by_group(self, *args: Any, **options: Any) -> Any:
        """Take the metrics of a reweighting group by group."""
        ...

    def effect_by_group(self, *args: Any, **options: Any) -> Any:
        """Take an effect group by group."""
        ...

    def curves_by_group(self, *args: Any, **options: Any) -> Any:
        """Take stress curves group by group."""
        ...

    def equal_shifts(self, *args: Any, **options: Any) -> Any:
        """Move every feature of stress curves by one distance."""
        ...

    def threshold_curves(self, *args: Any, **options: Any) -> Any:
        """See `Study.threshold_curves`."""
        ...

    def calibration(self, *args: Any, **options: Any) -> Any:
        """See `Study.calibration`."""
        ...

    def compare_outcomes(self, *args: Any, **options: Any) -> Any:
        """Compare what two models answered for these rows."""
        ...

    def reweight_towards(self, *args: Any, **options: Any) -> Any:
        """Weight the rows towards a population that is known already."""
        ...

    def worst_case(self, *args: Any, **options: Any) -> Any:
        """See `Study.worst_case`."""
        ...

    def attack(self, *args: Any, **options: Any) -> Any:
        """See `Study.attack`."""
        ...

    def effect_from(self, *args: Any, **options: Any) -> Any:
        """Compute an effect from a record of its options."""
        ...

    def boundary_from(self, *args: Any, **options: Any) -> Any:
        """Find the boundary of a row from a record of its options."""
        ...

    def pooled_boundary_from(self, *args: Any, **options: Any) -> Any:
        """Pool the boundaries of rows from a record of their options."""
        ...

    def to_code(self, *args: Any, **options: Any) -> str:
        """See `Study.to_code`."""
        ...

    def under(self, *args: Any, **options: Any) -> Source:
        """See `Study.under`."""
        ...

    def response(self, *args: Any, **options: Any) -> Response:
        """Find what of the model's answer an effect follows."""
        ...

    def read_points(self, X: Any) -> NDArray[np.float64]:
        """Read new rows as the engines take the study's own: numbers, and levels as its codes."""
        ...

    def rules_under(self, *args: Any, **options: Any) -> Any:
        """Ask what becomes of rules under a stress."""
        ...

    def sufficient_under(self, *args: Any, **options: Any) -> Any:
        """Ask what becomes of sufficient sets under a stress."""
        ...

    def with_model(self, model: Any) -> Source:
        """Return the same of another model on the same rows."""
        ...


@checks_arguments
@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Result(ABC):
    """What an analysis hands back; the base of every result.

    A result is data: it pickles, and reads the same after. What a result leaves to be asked goes to its `source`. A
    pickled result takes its source along without the model, the model's caches and functions of the user's; whatever
    does not need these answers as before, and `with_source` gives them back.

    Attributes
    ----------
    source : Study or None
        What it was made of, and what further questions go to; None where it stands alone.
    computed_on : datetime.date
        The day it was computed.
    """

    has_picture: ClassVar[bool] = True
    """Whether something is drawn of it; a table of rows has none."""

    source: Source | None = None
    computed_on: date = field(default_factory=date.today)

    @property
    @abstractmethod
    def title(self) -> str:
        """What this is, and of which model."""

    @property
    @abstractmethod
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know, one sentence each; empty when there is nothing unusual."""

    @property
    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """The tidy table, fresh for the caller to change."""

    @property
    def caption(self) -> str:
        """What a page saved from this is a copy of; stands below it."""
        return self.title

    def document(self) -> dict[str, Any] | None:
        """Return what .json has for readers beside the result itself: numbers and what they were computed from.

        With its own `schema` and `version`; None for the frame alone.
        """
        return None

    def save(self, path: str | Path, **options: Any) -> None:
        """Write the result to a file, by its ending.

        Parameters
        ----------
        path : str or Path
            .html, a page that needs no kernel and no network: the widget where there is one, else the chart; .png,
            .svg or .pdf, the chart; .csv, the frame; .json, the record, which `tauscope.load` makes the same result
            of: every field, with the hash of the data, versions and seed, and a summary to read. Maps of pixels also
            as .npz, their arrays. Pictures, and pages of a chart, need the `export` extra.
        **options
            For .html of a widget the first values of its traits, as in `widget`; for a chart what `chart` takes.

        Raises
        ------
        InputError
            For an ending that this result is not written as; names those it is. For .json also for a value that has
            no form there, such as a label of a class of one's own.
        ImportError
            For a picture without vl-convert; names the extra to install.
        """
        show.save(self, path, **options)

    def with_source(self, study: Source) -> Self:
        """Return the same result, asking its further questions of another copy of its study.

        Parameters
        ----------
        study : Study
            Of the same rows, such as the one a pickled result was made of: it has the model that was left behind.

        Raises
        ------
        InputError
            For a study of other rows or columns.
        """
        if self.source is not None:
            _check_same_rows(self.source, study)
        inner = {name: _with_source(value, study) for name, value in _iter_fields(self) if _inner_results(value)}
        return replace(self, source=study, **inner)

    def __init_subclass__(cls, **options: Any) -> None:
        """Have the questions of every result look at their arguments first, and its text keep its order."""
        super().__init_subclass__(**options)
        checks_arguments(cls)
        if "__repr__" in vars(cls):
            setattr(cls, "__repr__", _isolating(cls.__repr__))  # noqa: B010  (a method is no attribute to assign)

    def require_source(self) -> Source:
        """Return the source for a question that needs it.

        Raises
        ------
        InputError
            Where the result stands alone.
        """
        if self.source is None:
            raise InputError(
                f"This {type(self).__name__} refers to no study, which this question goes to. Use "
                "result.with_source(study), or ask the study itself."
            )
        return self.source

    def __getstate__(self) -> dict[str, Any]:
        source = None if self.source is None else self.source.without_model()
        return {**dict(_iter_fields(self)), "source": source}

    def __copy__(self) -> Self:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        memo[id(self.source)] = self.source  # a copy asks the same study, model and all
        copy = object.__new__(type(self))
        vars(copy).update({name: deepcopy(value, memo) for name, value in _iter_fields(self)})
        return copy

    @cached_property
    def _display(self) -> Any:
        """The widget that a notebook shows, made once."""
        return getattr(self, "widget")().show_with_its_object()  # noqa: B009  (not every result has one)

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None, **kwargs: Any
    ) -> dict[str, Any] | tuple[dict[str, Any], dict[str, Any]] | None:
        """Show the widget in a notebook, a picture and a table where there is none, and text in a shell."""
        if only_text_is_shown(include):
            return {TEXT: repr(self)}
        if not hasattr(self, "widget"):
            return show.stand_in(self)
        return self._display._repr_mimebundle_(include=include, exclude=exclude, **kwargs)


def _isolating(write: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a method that writes a result with the names in it isolated, whatever their direction."""

    @wraps(write)
    def isolate(result: Any) -> str:
        return isolated(write(result))

    return isolate


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame row by row, for a document."""
    columns = [frame[name].to_list() for name in frame.columns]
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def finite_records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table as `records` does, with None for numbers that are not finite."""
    return [
        {name: None if isinstance(value, float) and not np.isfinite(value) else value for name, value in record.items()}
        for record in records(frame)
    ]


def _iter_fields(result: Result) -> Iterator[tuple[str, Any]]:
    """Yield the fields, without what has been worked out from them since."""
    for item in fields(result):
        yield item.name, getattr(result, item.name)


def _inner_results(value: object) -> tuple[Result, ...]:
    """Return the results that a field holds, alone or in a tuple."""
    parts = cast(tuple[object, ...], value) if isinstance(value, tuple) else (value,)
    return tuple(part for part in parts if isinstance(part, Result))


def _with_source(value: Any, study: Source) -> Any:
    if isinstance(value, tuple):
        return tuple(_with_source(part, study) for part in cast(tuple[Any, ...], value))
    return value.with_source(study) if isinstance(value, Result) and value.source is not None else value


def _check_same_rows(source: Source, study: Source) -> None:
    if (source.n_rows, source.feature_names) != (study.n_rows, study.feature_names):
        raise InputError(
            f"A result's study must be of its own rows, {source.n_rows:,} of {len(source.feature_names)} columns; got "
            f"{study.n_rows:,} of {len(study.feature_names)}. Give the study it was made of."
        )
