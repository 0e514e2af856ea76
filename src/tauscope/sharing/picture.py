"""Charts as pictures, drawn without a browser by vl-convert, which comes with the extra `export`."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, cast

PICTURES = (".png", ".svg", ".pdf")
PIXEL_RATIO = 2.0


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


def ask_for_vl_convert(suffix: str) -> None:
    """Refuse an ending that needs vl-convert where it is not installed, and say how to install it."""
    if find_spec("vl_convert") is None:
        raise ImportError(
            f"Writing {suffix} needs vl-convert, which is not installed. "
            'Run: pip install "tauscope[export]". Without it, save(".csv"), save(".json") and .chart() work.'
        )
