"""Writing a result by the ending of a file's name; what its frame, document and chart are, it says itself."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tauscope.errors import InputError
from tauscope.results.base import Result
from tauscope.results.files import replacing
from tauscope.sharing.picture import PICTURES, chart_page, write_picture
from tauscope.sharing.record.record import record_of, text_of


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
        path.write_bytes(text_of(record_of(result)))
    elif ending == ".npz":
        np.savez_compressed(path, **shown._arrays())
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
        ".json",
        *((".npz",) if hasattr(result, "_arrays") else ()),
    )


def _page(result: Any, options: Mapping[str, Any]) -> str:
    """Return the page of the widget where there is one, else of the chart."""
    if not hasattr(result, "widget"):
        return chart_page(result, result.chart(**options))
    from tauscope.sharing.page import result_page  # loads the widgets

    return result_page(result, **options)
