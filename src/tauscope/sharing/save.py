"""Writing a result to a file, in the format its name ends in."""

from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from tauscope.errors import InputError
from tauscope.figures.picture import stress_curves_picture
from tauscope.figures.table import stress_curves_table, with_picture
from tauscope.results.stress_curves import StressCurves
from tauscope.results.summary import extent, title
from tauscope.sharing.page import page
from tauscope.sharing.records import stress_curves_json
from tauscope.views.detached import Detached
from tauscope.views.stress_curves import StressCurvesView

ENDINGS = (".html", ".png", ".svg", ".pdf", ".csv", ".json")
PIXEL_RATIO = 2.0


class DetachedStressCurvesView(Detached, StressCurvesView):
    """The stress widget without its line to a browser."""


def save_stress_curves(result: StressCurves, path: Path) -> None:
    """Write stress curves; see `StressCurves.save`.

    Raises
    ------
    InputError
        For an ending that is not known.
    ImportError
        For a picture where vl-convert is not installed.
    """
    match path.suffix.lower():
        case ".html":
            path.write_text(stress_curves_page(result), "utf-8")
        case ".csv":
            path.write_text(result.frame.to_csv(index=False, lineterminator="\n"), "utf-8")
        case ".json":
            path.write_text(stress_curves_json(result), "utf-8")
        case ".png":
            _save_picture(result, path, "png")
        case ".svg":
            _save_picture(result, path, "svg")
        case ".pdf":
            _save_picture(result, path, "pdf")
        case suffix:
            raise InputError(
                f"The file's ending says the format, one of {', '.join(ENDINGS)}; got {suffix or 'none'!r} in "
                f"{path.name!r}."
            )


def stress_curves_page(result: StressCurves) -> str:
    """Return the page of stress curves that works without a kernel."""
    name = title(result)
    note = f"Static copy, computed {result.computed.isoformat()}: {name}, {extent(result)}. No kernel, no network."
    view = DetachedStressCurvesView(result)
    try:
        still = with_picture(stress_curves_table(result), stress_curves_picture(result), name)
        return page(view, title=name, note=note, still=still)
    finally:
        view.layout.close()  # pyright: ignore[reportUnknownMemberType]
        view.close()


def _save_picture(result: StressCurves, path: Path, kind: Literal["png", "svg", "pdf"]) -> None:
    if find_spec("vl_convert") is None:
        raise ImportError(
            f"Writing {path.suffix} needs vl-convert, which is not installed. "
            'Run: pip install "tauscope[export]". Without it, save(".html") and .chart() work.'
        )
    result.chart().save(path, format=kind, scale_factor=PIXEL_RATIO if kind == "png" else 1)
