"""Parts of a document: a heading, a figure, a table, what is to be said of them; every word escaped, no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from tauscope.figures.chart import words_of
from tauscope.figures.labels import in_prose, legible
from tauscope.figures.still import html_table, image_of, written
from tauscope.figures.svg import draw_svg
from tauscope.words import escape


def section(head: str, *parts: str, notes: Iterable[str] = ()) -> str:
    """Write a section of parts that are HTML already; notes are text."""
    said = "".join(f'<p class="note">{escape(in_prose(words))}</p>' for words in notes)
    return f"<section><h2>{escape(legible(head))}</h2>{''.join(part for part in parts if part)}{said}</section>"


def drawn(chart: Any, spoken: str, *, captioned: bool = True) -> str:
    """Write a chart as a picture, its title and what stands below it as text, and what is read aloud in its place."""
    spec = chart.to_dict(validate=False)
    said = "<br>".join(escape(words) for words in words_of(spec))
    caption = f"<figcaption>{said}</figcaption>" if captioned else ""
    spec.pop("title", None)  # a picture does not break lines
    return f"<figure>{caption}{image_of(draw_svg(spec, spoken), spoken)}</figure>"


def table(caption: str, frame: pd.DataFrame, *, most: int | None = None) -> str:
    """Write a frame as a table, its first rows where there are more than `most`, and how many are left out."""
    shown = frame if most is None else frame.iloc[:most]
    columns = [shown[name].tolist() for name in shown.columns]
    rows = [[written(cell) for cell in row] for row in zip(*columns, strict=True)]
    more = len(frame) - len(shown)
    after = [f"and {more:,} more"] if more else []
    return html_table(caption, [str(name) for name in shown.columns], rows, after)


def terms(lines: Sequence[tuple[str, str]], *, code: bool = False) -> str:
    """Write terms and what they are, as `code` where that is Python; those with nothing to be said are left out."""
    before, after = ("<code>", "</code>") if code else ("", "")
    said = (
        f"<dt>{escape(term)}</dt><dd>{before}{escape(words, literal=code)}{after}</dd>"
        for term, words in lines
        if words
    )
    return f"<dl>{''.join(said)}</dl>"
