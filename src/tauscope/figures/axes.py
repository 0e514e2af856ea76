"""What drawing on matplotlib's Axes has in common; matplotlib is imported when something is drawn."""

# Keywords of matplotlib have no types.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tauscope.figures import theme
from tauscope.figures.labels import in_plot
from tauscope.results.effects.text import paragraph
from tauscope.results.formatting import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLAIN: dict[str, Any] = {"parse_math": False}
"""A name is no formula, whatever dollar signs it has."""
DOTS: tuple[float, tuple[float, float]] = (0, (1, 2))
DASHES: tuple[float, tuple[float, float]] = (0, (4, 3))
LETTER = 5.6
"""Points that a letter of a title takes."""
FEWEST_LETTERS = 24
SIZE = (7.0, 4.2)
"""Inches of a figure made here."""


def axes_to_draw_on(ax: Axes | None) -> Axes:
    """Return the Axes given, or those of a new figure, which a notebook then shows.

    Raises
    ------
    ImportError
        Without matplotlib, with the line that installs it.
    """
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            'plot needs matplotlib, which is not installed. Run: pip install "tauscope[plot]". '
            "Without it, .chart() and .frame work."
        ) from error
    return pyplot.subplots(figsize=SIZE, layout="constrained")[1]


def colors_of(n: int) -> list[Any]:
    """Return a colour for each of n lines: the theme's, or Tableau's twenty in turn where there are more of them."""
    if n <= len(theme.PALETTE):
        return list(theme.PALETTE[:n])
    from matplotlib import colormaps

    return [colormaps["tab20"](k % 20) for k in range(n)]


def write_title(ax: Axes, title: str, words: Iterable[str]) -> None:
    """Write what is drawn above it, with lines of words as long as the Axes are wide, empty ones left out."""
    letters = max(FEWEST_LETTERS, int(ax.bbox.width * 72 / ax.figure.dpi / LETTER))
    said = " ".join(word for word in words if word)
    lines = [line for text in (title, said) for line in paragraph(in_plot(text), letters)]
    ax.set_title("\n".join(lines), loc="left", fontsize="medium", **PLAIN)


def write_shares(axis: Any) -> None:
    """Write shares along an axis per cent."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))


def write_points(axis: Any) -> None:
    """Write differences of shares along an axis in percentage points."""
    from matplotlib.ticker import FuncFormatter

    def write(value: float, _: int | None) -> str:
        return signed(f"{100 * value:.6g}".replace("-", "−"))

    axis.set_major_formatter(FuncFormatter(write))


def add_legend(ax: Axes, **options: Any) -> None:
    """Name the lines in a legend."""
    for text in ax.legend(**options).get_texts():
        text.set_parse_math(False)


def widen(ax: Axes, low: float, high: float, drawn_before: bool, *, horizontal: bool = False) -> None:
    """Set the range of values, so that what was drawn before stays in sight."""
    before = (ax.get_xlim() if horizontal else ax.get_ylim()) if drawn_before else ()
    (ax.set_xlim if horizontal else ax.set_ylim)(min((low, *before)), max((high, *before)))
