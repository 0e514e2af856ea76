"""Text from the data in a picture: Vega's expressions and XML take less than a column's name may hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from itertools import takewhile
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
LONGEST_PROSE = 10 * LONGEST
"""Of a paragraph, which no picture has to measure."""
MOST_LINES = 30
SMALL, CAPITAL, WIDE = 6.2, 8.0, 11.5
"""Pixels of a small letter in the type of an axis, of a capital or digit, and of what is as wide as it is high."""


def legible(text: str, longest: int = LONGEST) -> str:
    """Return a text as a chart's data take it.

    Parameters
    ----------
    text : str
    longest : int, default 400
        Characters from which on a text is cut.

    Returns
    -------
    str
        A middle dot for what no picture can hold, spaces for separators, `</` broken up by a character without width.
        Of a longer text both ends, and a mark between them that differs where texts do. The same
        when made legible again. What runs from right to left is isolated.
    """
    text = _shortened(text) if len(text) > longest else text
    return isolated(MARKUP.sub(BROKEN, SEPARATORS.sub("\u00a0", NO_XML.sub("\u00b7", text))))


def _shortened(text: str) -> str:
    return f"{text[:KEPT]}… [{_mark(text)}] …{text[-KEPT:]}"


def _mark(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def cut_apart(texts: Iterable[str], room: float) -> dict[str, str]:
    """Cut texts to a width so that those that differ still do.

    Parameters
    ----------
    texts : iterable of str
    room : float
        Pixels.

    Returns
    -------
    dict
        Each text and what is drawn of it: its two ends, or what tells it from others with the same ends.
    """
    cut = {text: _both_ends(text, room) for text in texts}
    for drawn in set(cut.values()):
        alike = [text for text in cut if cut[text] == drawn]
        if len(alike) == 1:
            continue
        shared = sum(1 for _ in takewhile(lambda letters: len({*letters}) == 1, zip(*alike, strict=False)))
        apart = max(4, shared - 4)
        shown = [_both_ends(f"{text[:4]}…{text[apart:]}", room, 0.8) for text in alike]
        if len(set(shown)) < len(alike):
            shown = [f"{_both_ends(text, room - 8 * CAPITAL)} [{_mark(text)}]" for text in alike]
        cut |= dict(zip(alike, shown, strict=True))
    return cut


def _both_ends(text: str, room: float, first: float = 0.5) -> str:
    """Return as many letters of a text as have room, a share of them from its start."""
    if width_of(text) <= room:
        return text
    kept = min(len(text) - 1, int(room / SMALL))
    while True:
        start = max(1, round(first * kept))
        end = max(1, kept - start)
        short = f"{text[:start].rstrip()}…{text[-end:].lstrip()}"
        if kept <= 2 or width_of(short) <= room:
            return short
        kept -= 1


def width_of(text: str) -> float:
    """Return the pixels of a text in the type of an axis, rather too many than too few."""
    return sum(SMALL if each.islower() or each == " " else CAPITAL if each < "\u2e80" else WIDE for each in text)


def name_axis(
    field: str, names: Iterable[str], room: int, channel: Any = None, title: str | None = None, **options: Any
) -> Any:
    """Make a channel of names in their order, on an axis that has `room` pixels for each and tells them apart.

    A list to sort by would have the names in Vega's expressions as they are; a domain is data, and JSON in ASCII is
    what an expression reads of any text.
    """
    import altair as alt

    words = level_axis(names, room)
    axis = alt.Axis(**words["axis"], **options)
    return (channel or alt.Y)(f"{field}:N", sort=None, title=title, scale=alt.Scale(**words["scale"]), axis=axis)


def level_axis(names: Iterable[str], room: int) -> dict[str, Any]:
    """Return the same as plain Vega-Lite, but for the field."""
    domain = [*names]
    cut = json.dumps({name: short for name, short in cut_apart(domain, room).items() if short != name})
    axis: dict[str, Any] = {"labelLimit": room}
    if cut != "{}":
        axis = {"labelLimit": 0, "labelExpr": f"{cut}[datum.value] || datum.label"}
    return {"type": "nominal", "sort": None, "title": None, "scale": {"domain": domain}, "axis": axis}


def in_prose(text: str) -> str:
    """Return a paragraph as a page takes it: several sentences, none of them cut."""
    return legible(text, LONGEST_PROSE)


def in_line(text: str) -> str:
    """Return a text on one line, as a title of an axis takes it: Vega-Lite writes titles into expressions."""
    return NEW_LINES.sub(" ", legible(text))


def in_plot(text: str) -> str:
    """Return a text on one line as matplotlib takes it, which has no glyph for what isolates."""
    return ISOLATES.sub("", in_line(text))


def in_tooltip(text: str) -> str:
    """Return a text as the title of a line in a tooltip: Vega-Lite leaves its backslashes to the expression."""
    return in_line(text).replace("\\", "\\\\")


def legible_records(records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return records with their texts as they can be drawn."""
    return [{k: legible(v) if isinstance(v, str) else v for k, v in record.items()} for record in records]


def inline(records: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Put records into a chart, their texts as they can be drawn."""
    import altair as alt

    return alt.InlineData(values=legible_records(records))


def title_and_lines(text: str, lines: Iterable[str], offset: int = 12) -> dict[str, Any]:
    """Return a chart's title with its lines of words, empty ones left out and no more than thirty."""
    said = [in_line(line) for line in lines if line]
    said = said if len(said) <= MOST_LINES else [*said[: MOST_LINES - 1], "…"]
    return {"text": in_line(text), "subtitle": said, "offset": offset}


def heading(text: str, lines: Iterable[str], offset: int = 12) -> alt.TitleParams:
    """Make the same for Altair."""
    import altair as alt

    return alt.TitleParams(**title_and_lines(text, lines, offset))
