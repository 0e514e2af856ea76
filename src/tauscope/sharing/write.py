"""Writing a result by the ending of a file's name: what its frame, document, chart and page are, it says itself."""

import json
import math
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

import pandas as pd

from tauscope.errors import InputError

PICTURES = (".png", ".svg", ".pdf")
PIXEL_RATIO = 2.0


def write_result(
    path: Path,
    *,
    frame: Callable[[], pd.DataFrame],
    document: Callable[[], Mapping[str, Any]],
    chart: Callable[[], Any] | None = None,
    page: Callable[[], str] | None = None,
    page_needs_export: bool = False,
    others: tuple[str, ...] = (),
) -> None:
    """Write a result to a file.

    Parameters
    ----------
    path : Path
        .csv, .json, and where there is a chart or a page .png, .svg, .pdf, .html.
    frame : callable
        The tidy table, for .csv.
    document : callable
        What .json holds; numbers that are not finite become null.
    chart : callable or None
        Makes the Altair chart.
    page : callable or None
        Makes the text of the page.
    page_needs_export : bool
        Whether the page holds a chart, whose script comes with the `export` extra.
    others : tuple of str
        Endings that the caller has seen to; named where an ending is refused.

    Raises
    ------
    InputError
        For another ending.
    ImportError
        For a picture where vl-convert is not installed.
    """
    suffix = path.suffix.lower()
    endings = (*((".html",) if page else ()), *(PICTURES if chart else ()), ".csv", ".json", *others)
    if suffix not in endings:
        raise InputError(
            f"The file's ending says the format, one of {', '.join(endings)}; got {suffix or 'none'!r} in "
            f"{path.name!r}."
        )
    if suffix in PICTURES or (suffix == ".html" and page_needs_export):
        _ask_for_vl_convert(suffix)
    if suffix == ".csv":
        path.write_text(frame().to_csv(index=False, lineterminator="\n"), "utf-8")
    elif suffix == ".json":
        path.write_text(json.dumps(plain(document()), ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    elif suffix == ".html":
        assert page is not None
        path.write_text(page(), "utf-8")
    else:
        assert chart is not None
        kind = cast(Literal["png", "svg", "pdf"], suffix[1:])
        chart().save(path, format=kind, scale_factor=PIXEL_RATIO if kind == "png" else 1)


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a frame row by row, as JSON can have it."""
    columns = [frame[name].to_list() for name in frame.columns]
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def plain(value: Any) -> Any:
    """Return a value as JSON has it, null for numbers that are not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast(list[Any], value)]
    return value


def _ask_for_vl_convert(suffix: str) -> None:
    if find_spec("vl_convert") is None:
        raise ImportError(
            f"Writing {suffix} needs vl-convert, which is not installed. "
            'Run: pip install "tauscope[export]". Without it, save(".csv"), save(".json") and .chart() work.'
        )
