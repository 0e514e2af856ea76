"""What every result is: numbers with a title and notes, that can be shown, saved, pickled and asked more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast, overload

import numpy as np
import pandas as pd

from tauscope.arguments import checks_arguments
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.display import TEXT, only_text_is_shown
from tauscope.words import isolated

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tauscope.study.study import Study  # upwards, for types alone; what else names a study takes it from here


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

    Examples
    --------
    >>> result = study.reweight(ts.Mean("mean radius", tau=0.3))
    >>> isinstance(result, ts.Result), result.source is study
    (True, True)
    """

    _has_picture: ClassVar[bool] = True
    """Whether something is drawn of it; a table of rows has none."""

    source: Study | None = None
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
    def _caption(self) -> str:
        """What a page saved from this is a copy of; stands below it."""
        return self.title

    def _document(self) -> dict[str, Any] | None:
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

    def with_source(self, study: Study) -> Self:
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

    def _require_source(self) -> Study:
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
        source = None if self.source is None else self.source._without_model()
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


class Charted(Result):
    """A result with a `chart`."""

    def plot(self, ax: Axes | None = None, **options: Any) -> Any:
        """Draw the chart with matplotlib: the same marks, colours and words.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw a chart of one panel; by default on a new figure of `matplotlib.pyplot`. Nothing else of a
            figure changes. What accompanies a panel, such as the shares of rows below an effect, is on new figures
            only.
        **options
            As in `chart`.

        Returns
        -------
        matplotlib.axes.Axes, or ndarray of them
            An array for a chart of several panels, such as one for each metric, in their order.

        Raises
        ------
        ImportError
            Without matplotlib, which the extra ``tauscope[plot]`` brings.
        InputError
            For `ax` and a chart of several panels.

        Examples
        --------
        >>> axes = study.stress_curves(taus=5).plot(metrics="error_rate", highlight="mean radius")
        >>> axes.figure.savefig("curves.pdf")
        """
        return show.plot(self, ax, **options)


Part = TypeVar("Part", covariant=True)


class ChartedParts(Charted, Sequence[Part]):
    """A result with a `chart` that is a sequence of its parts."""

    @property
    @abstractmethod
    def _parts(self) -> tuple[Part, ...]:
        """What it is a sequence of."""

    def __len__(self) -> int:
        return len(self._parts)

    @overload
    def __getitem__(self, index: int) -> Part: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Part]: ...
    def __getitem__(self, index: int | slice) -> Part | Sequence[Part]:
        return self._parts[index]


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


def _with_source(value: Any, study: Study) -> Any:
    if isinstance(value, tuple):
        return tuple(_with_source(part, study) for part in cast(tuple[Any, ...], value))
    return value.with_source(study) if isinstance(value, Result) and value.source is not None else value


def _check_same_rows(source: Study, study: Study) -> None:
    if (source.n_rows, source.feature_names) != (study.n_rows, study.feature_names):
        raise InputError(
            f"A result's study must be of its own rows, {source.n_rows:,} of {len(source.feature_names)} columns; got "
            f"{study.n_rows:,} of {len(study.feature_names)}. Give the study it was made of."
        )
