"""Writing a result by the ending of a file's name: what its frame, document, chart and page are, it says itself."""

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pandas as pd

from tauscope.errors import InputError
from tauscope.sharing.picture import PICTURES, write_picture


def write_result(
    path: Path,
    *,
    frame: Callable[[], pd.DataFrame],
    document: Callable[[], Mapping[str, Any]] | None = None,
    chart: Callable[[], Any] | None = None,
    page: Callable[[], str] | None = None,
    others: tuple[str, ...] = (),
) -> None:
    """Write a result to a file.

    Parameters
    ----------
    path : Path
        Ends in .csv or, where there are a document, a chart and a page, in .json, .png, .svg, .pdf or .html.
    frame : callable
        The tidy table.
    document : callable or None
        What .json holds; see `plain`.
    chart : callable or None
        Makes the Altair chart.
    page : callable or None
        Makes the text of the page.
    others : tuple of str
        Endings that the caller has seen to; named where an ending is refused.

    Raises
    ------
    InputError
        For another ending.
    ImportError
        For a chart where vl-convert is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".csv":
        path.write_text(frame().to_csv(index=False, lineterminator="\n"), "utf-8")
    elif suffix == ".json" and document is not None:
        path.write_text(json.dumps(plain(document()), ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    elif suffix == ".html" and page is not None:
        path.write_text(page(), "utf-8")
    elif suffix in PICTURES and chart is not None:
        write_picture(path, chart)
    else:
        first = (*((".html",) if page else ()), *(PICTURES if chart else ()))
        endings = (*first, ".csv", *((".json",) if document else ()), *others)
        raise InputError(
            f"The file's ending says the format, one of {', '.join(endings)}; got {suffix or 'none'!r} in "
            f"{path.name!r}."
        )


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame row by row."""
    columns = [frame[name].to_list() for name in frame.columns]
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def plain(value: Any) -> Any:
    """Return a value as JSON has it: null for a number that is not finite or no date, dates as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast(list[Any], value)]
    return value
