"""Writing a result by the ending of a file's name; what its frame, document and chart are, it says itself."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.results.base import Result
from tauscope.results.files import replacing
from tauscope.sharing.picture import PICTURES, chart_page, write_picture


def save(result: Result, path: str | Path, **options: Any) -> None:
    """Write a result to a file; see `Result.save`."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in endings(result):
        raise InputError(
            f"The file's ending says the format, one of {', '.join(endings(result))}; got {ending or 'none'!r} in "
            f"{path.name!r}."
        )
    with replacing(path) as beside:
        _write(result, beside, ending, options)


def _write(result: Result, path: Path, ending: str, options: Mapping[str, Any]) -> None:
    shown: Any = result
    if ending == ".csv":
        path.write_text(result.frame.to_csv(index=False, lineterminator="\n"), "utf-8")
    elif ending == ".json":
        path.write_text(json.dumps(plain(result.document()), ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    elif ending == ".npz":
        np.savez_compressed(path, **shown.arrays())
    elif ending in PICTURES:
        write_picture(path, lambda: shown.chart(**options))
    else:
        path.write_text(_page(result, options), "utf-8")


def endings(result: Result) -> tuple[str, ...]:
    """Return the endings that a result can be written as."""
    chart = hasattr(result, "chart")
    return (
        *((".html",) if chart or hasattr(result, "widget") else ()),
        *(PICTURES if chart else ()),
        ".csv",
        *((".json",) if type(result).document is not Result.document else ()),
        *((".npz",) if hasattr(result, "arrays") else ()),
    )


def _page(result: Any, options: Mapping[str, Any]) -> str:
    """Return the page of the widget where there is one, else of the chart."""
    if not hasattr(result, "widget"):
        return chart_page(result, result.chart(**options))
    from tauscope.sharing.page import result_page  # loads the widgets

    return result_page(result, **options)


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
