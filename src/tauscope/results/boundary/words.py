"""A boundary whose features are words: the words of a text with their weights, and those that are not there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tauscope.results.boundary.columns import BoundaryColumn
from tauscope.results.boundary.numbers import BoundaryNumbers
from tauscope.weights.arrays import Floats

WORD = re.compile(r"\w+(?:['’\-]\w+)*")
"""A word; joined ones are looked up whole, then in their parts, as vectorizers cut them."""
PART = re.compile(r"\w+")


@dataclass(frozen=True)
class Piece:
    """A stretch of a text.

    Attributes
    ----------
    text : str
    weight : float or None
        Of the word in the direction, over the largest, in [−1, 1]: above 0 more of it leads across the boundary, below
        0 less of it does. None for what is no feature.
    """

    text: str
    weight: float | None


@dataclass(frozen=True)
class WeighedText:
    """A text in pieces, which together are the text; and the words it has not, the heaviest first.

    Attributes
    ----------
    pieces : tuple of Piece
    absent : tuple of Piece
        Features that are 0 in the row and have a weight.
    """

    pieces: tuple[Piece, ...]
    absent: tuple[Piece, ...]


def weigh_words(text: str, numbers: BoundaryNumbers, direction: Floats) -> WeighedText:
    """Weigh the words of a text by a direction.

    Parameters
    ----------
    text : str
    numbers : BoundaryNumbers
        Of one row, whose columns are words; they are matched as they are written, else without regard to case.
    direction : ndarray of shape (p,)
    """
    lean = np.nan_to_num(direction)
    weights = lean / (np.abs(lean).max(initial=0.0) or 1.0)
    names = numbers.feature_names
    places = {name.casefold(): j for j, name in reversed(list(enumerate(names)))}
    places |= {name: j for j, name in enumerate(names)}
    pieces, seen = _pieces(text, places, weights)
    start = numbers.start[0]
    heaviest: list[int] = np.argsort(-np.abs(weights), kind="stable").tolist()
    absent = [
        j for j in heaviest if weights[j] != 0 and start[j] == 0 and j not in seen and _counts(numbers.columns[j])
    ]
    return WeighedText(pieces, tuple(Piece(names[j], float(weights[j])) for j in absent))


def _pieces(text: str, places: dict[str, int], weights: Floats) -> tuple[tuple[Piece, ...], set[int]]:
    """Cut a text at its words; return the columns that they are too."""
    spans: list[tuple[int, int, int]] = []
    for word in WORD.finditer(text):
        whole = _place(word[0], places)
        parts = [word] if whole is not None else PART.finditer(text, *word.span())
        spans += [(*part.span(), j) for part in parts if (j := _place(part[0], places)) is not None]
    pieces: list[Piece] = []
    ends = [(0, 0, -1), *spans, (len(text), len(text), -1)]
    for (_, end, _), (first, last, j) in pairwise(ends):
        pieces += [Piece(text[end:first], None)] if first > end else []
        pieces += [Piece(text[first:last], float(weights[j]))] if last > first else []
    return tuple(pieces), {j for _, _, j in spans}


def _place(word: str, places: dict[str, int]) -> int | None:
    return places.get(word, places.get(word.casefold()))


def _counts(column: BoundaryColumn) -> bool:
    """Whether a column can say how often a word is there, or whether it is."""
    return column.kind == "number" or column.boolean
