"""Texts whose words are a study's features: that of the row shown, where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from tauscope.errors import InputError
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.boundary.boundary import Boundary


class Texts(NamedTuple):
    """One text, of the row that starts there; or one for each row of the study."""

    one: str | None
    start: Mapping[str, float | None]
    each: Sequence[str]

    def text_of(self, result: Boundary) -> str | None:
        """Return the text of a boundary's row; None for a row without."""
        if self.each:
            return None if result.row is None else self.each[result.row]
        return self.one if _start(result) == self.start else None


def read_texts(text: Any, result: Boundary) -> Texts:
    """Read the text of a row, or one for each row of the study.

    Raises
    ------
    InputError
        For anything but text, or another number of texts than rows.
    """
    start = _start(result)
    if text is None or isinstance(text, str):
        return Texts(text, start, ())
    try:
        each = tuple(cast(Sequence[Any], text))
    except TypeError:
        each = (text,)
    n_rows = None if result.source is None else result.source.n_rows
    strange = [one for one in each if not isinstance(one, str)]
    if strange or len(each) != n_rows:
        got = f"{strange[0]!r}" if strange else count(len(each), "text")
        rows = "the study's rows" if n_rows is None else f"the study's {count(n_rows, 'row')}"
        raise InputError(f"text must be the text of the row, or one for each of {rows}; got {got}. Give text=message.")
    return Texts(None, start, each)


def _start(result: Boundary) -> dict[str, float | None]:
    """Return the row by feature, missing as None, without what is 0: sparse rows list other columns in each search."""
    values = result._numbers.start[0].tolist()
    return {
        name: None if np.isnan(value) else value
        for name, value in zip(result._numbers.feature_names, values, strict=True)
        if value
    }
