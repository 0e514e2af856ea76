"""Writing a result by the ending of a file's name; what its frame, document and chart are, it says itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np

from tauscope.errors import InputError
from tauscope.results.base import Result
from tauscope.results.files import replacing
from tauscope.sharing.html import asset, by_hash, copy_note, escape_script, html_page, pack
from tauscope.sharing.reading import how_to_read
from tauscope.sharing.record.record import record_of, text_of
from tauscope.views.bundle import built
from tauscope.words import escape


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


PICTURES = (".png", ".svg", ".pdf")
PIXEL_RATIO = 2.0
DRAW = (
    'const { draw } = await load("library"); '
    'draw(document.getElementById("chart"), JSON.parse(document.getElementById("spec").textContent));'
)


def write_picture(path: Path, chart: Callable[[], Any]) -> None:
    """Draw a chart into a file that ends in .png, .svg or .pdf.

    Parameters
    ----------
    path : Path
    chart : callable
        Makes the Altair chart.

    Raises
    ------
    ImportError
        Where vl-convert is not installed.
    """
    suffix = path.suffix.lower()
    ask_for_vl_convert(suffix)
    kind = cast(Literal["png", "svg", "pdf"], suffix[1:])
    chart().save(path, format=kind, scale_factor=PIXEL_RATIO if kind == "png" else 1)


def chart_page(result: Result, chart: Any) -> str:
    """Write a chart of a result, and what draws it, into one page.

    Parameters
    ----------
    result : Result
        Gives the title and the line below the chart.
    chart : altair chart
        Data inline.

    Returns
    -------
    str
        It has the chart as Vega's specification and what draws it (`js/src/sharing/chart.ts`). Its content security
        policy admits its script, by hash, and the library from a blob, no evaluation of text (Vega's own interpreter
        reads the chart's expressions) and no connection. Text from the data cannot end an element.

    Raises
    ------
    ImportError
        Where vl-convert, which compiles the chart, is not installed.
    FileNotFoundError
        In a checkout that has not been built.
    """
    ask_for_vl_convert(".html")
    import vl_convert

    compiled = vl_convert.vegalite_to_vega(chart.to_dict())
    spec = json.dumps(compiled, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    script = asset("unpack.js") + DRAW
    return html_page(
        title=result.title,
        main=f'<main id="chart" aria-label="{escape(result.title)}"></main>',
        note=copy_note(result._caption, result.computed_on),
        reading=how_to_read(result),
        scripts=(
            f'<script type="application/json" id="spec">{escape_script(spec)}</script>',
            f'<script type="text/plain" id="library">{pack(built("sharing/chart.js").read_bytes())}</script>',
            f'<script type="module">{script}</script>',
        ),
        admitted=(by_hash(script), "blob:"),
    )


def ask_for_vl_convert(suffix: str) -> None:
    """Refuse an ending that needs vl-convert where it is not installed, and say how to install it."""
    if find_spec("vl_convert") is None:
        raise ImportError(
            f"Writing {suffix} needs vl-convert, which is not installed. "
            'Run: pip install "tauscope[export]". Without it, save(".csv"), save(".json") and .chart() work.'
        )
