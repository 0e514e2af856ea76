"""An effect as a small HTML table, for pages that show no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.effects.text import extent, written
from tauscope.words import count, escape

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect

MOST_ROWS = 12


def effect_table(result: FeatureEffect) -> str:
    """Write an effect at some of its points, spread over the grid, with its interval.

    Parameters
    ----------
    result : FeatureEffect

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    computed = result._computed
    shape = tuple(len(axis) for axis in result._axes)
    n_points = int(np.prod(shape))
    places = np.unique(np.linspace(0, n_points - 1, min(MOST_ROWS, n_points)).round().astype(np.int64))
    several = len(computed.effect) > 1
    heads = [*(["class"] if several else []), *result.feature_names, "effect", "lower", "upper"]
    rows: list[str] = []
    for output in range(len(computed.effect)):
        numbers = [a[output].ravel() for a in (computed.effect, computed.lower, computed.upper)]
        for place in places:
            at = np.unravel_index(int(place), shape)
            labels = [axis.label(int(k)) for axis, k in zip(result._axes, at, strict=True)]
            words = [*([result._classes[output]] if several else []), *labels]
            cells = [written(result, float(values[place])) for values in numbers]
            rows.append(f"<tr>{_cells(words, cells)}</tr>")
    more = f", {len(places)} of {count(n_points, 'point')}" if len(places) < n_points else ""
    return "".join(
        (
            "<table>",
            f"<caption>{escape(f'{result.title}: {extent(result)}. {result.interval}{more}.')}</caption>",
            "<thead><tr>",
            *(f'<th scope="col">{escape(head)}</th>' for head in heads),
            "</tr></thead><tbody>",
            *rows,
            "</tbody></table>",
        )
    )


def _cells(words: list[str], numbers: list[str]) -> str:
    return "".join(f'<th scope="row">{escape(word)}</th>' for word in words) + "".join(
        f'<td style="text-align:right">{escape(cell)}</td>' for cell in numbers
    )
