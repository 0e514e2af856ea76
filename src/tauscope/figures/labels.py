"""Text from the data in a picture: Vega's expressions and XML take less than a column's name may hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tauscope.words import isolated

if TYPE_CHECKING:
    import altair as alt

NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML may hold; vl-convert ends the process on it."""
SEPARATORS = re.compile("[\x85\u2028\u2029]")
"""Ends of lines in no font, which Vega's expressions refuse."""
NEW_LINES = re.compile("[\n\r]+")
MARKUP = re.compile("<(?=[/!])")
"""What ends a script element or opens a comment in it; Altair writes charts into one as they are."""
BROKEN = "<\u2060"
"""The same with a word joiner, which has no width."""
ISOLATES = re.compile("[\u2066-\u2069]")
LONGEST = 400
"""Characters of a text in a picture; of 100,000 it takes minutes to measure them."""
KEPT = 150
MOST_LINES = 30


def legible(text: str) -> str:
    """Return a text as a chart's data take it.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        A middle dot for what no picture can hold, spaces for separators, `</` broken up by a character without width.
        Of a text of more than 400 characters both ends, and a mark between them that differs where texts do. The same
        when made legible again. What runs from right to left is isolated.
    """
    text = _shortened(text) if len(text) > LONGEST else text
    return isolated(MARKUP.sub(BROKEN, SEPARATORS.sub("\u00a0", NO_XML.sub("\u00b7", text))))


def _shortened(text: str) -> str:
    mark = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return f"{text[:KEPT]}… [{mark}] …{text[-KEPT:]}"


def in_line(text: str) -> str:
    """Return a text on one line, as a title of an axis takes it: Vega-Lite writes titles into expressions."""
    return NEW_LINES.sub(" ", legible(text))


def in_plot(text: str) -> str:
    """Return a text on one line as matplotlib takes it, which has no glyph for what isolates."""
    return ISOLATES.sub("", in_line(text))


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
    """Make a chart's title with its lines of words, empty ones left out and no more than thirty."""
    import altair as alt

    said = [in_line(line) for line in lines if line]
    said = said if len(said) <= MOST_LINES else [*said[: MOST_LINES - 1], "…"]
    return alt.TitleParams(text=in_line(text), subtitle=said, offset=offset)
