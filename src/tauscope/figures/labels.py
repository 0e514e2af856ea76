"""Text from the data in a picture: Vega's expressions and XML take less than a column's name may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML may hold; vl-convert ends the process on it."""
SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""Ends of lines in no font, which Vega's expressions refuse."""
NEW_LINES = re.compile("[\n\r]+")


def legible(text: str) -> str:
    """Return a text as a chart's data take it: a middle dot for what no picture can hold, spaces for separators."""
    return SEPARATORS.sub("\u00a0", NO_XML.sub("\u00b7", text))


def in_line(text: str) -> str:
    """Return a text on one line, as a title of an axis takes it: Vega-Lite writes titles into expressions."""
    return NEW_LINES.sub(" ", legible(text))


def in_tooltip(text: str) -> str:
    """Return a text as the title of a line in a tooltip: Vega-Lite leaves its backslashes to the expression."""
    return in_line(text).replace("\\", "\\\\")


def inline(records: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Put records into a chart, their texts as they can be drawn."""
    import altair as alt

    return alt.InlineData(
        values=[{k: legible(v) if isinstance(v, str) else v for k, v in record.items()} for record in records]
    )


def heading(text: str, lines: Iterable[str], offset: int = 12) -> alt.TitleParams:
    """Make a chart's title with its lines of words, empty ones left out."""
    import altair as alt

    return alt.TitleParams(text=in_line(text), subtitle=[in_line(line) for line in lines if line], offset=offset)
