"""The words of a text and their weights, as the page reads them."""

from __future__ import annotations

from typing import TypedDict

from tauscope.results.boundary.numbers import BoundaryNumbers
from tauscope.results.boundary.words import Piece, weigh_words
from tauscope.weights.arrays import Floats

MOST_ABSENT = 12


class BoundaryPieceMessage(TypedDict):
    """A stretch of the text; `weight` in [−1, 1] of a word, above 0 where more of it leads across; None of the rest."""

    text: str
    weight: float | None


class BoundaryWordsMessage(TypedDict):
    """A text in pieces; the heaviest words it has not, that lead across and that hold back; how many more there are."""

    pieces: list[BoundaryPieceMessage]
    across: list[BoundaryPieceMessage]
    back: list[BoundaryPieceMessage]
    n_more: int


def words_message(text: str, numbers: BoundaryNumbers, direction: Floats) -> BoundaryWordsMessage:
    """Weigh a text's words by a direction (p,), away from the row's decision."""
    found = weigh_words(text, numbers, direction)
    across = [piece for piece in found.absent if (piece.weight or 0) > 0]
    back = [piece for piece in found.absent if (piece.weight or 0) < 0]
    listed = len(across[:MOST_ABSENT]) + len(back[:MOST_ABSENT])
    return {
        "pieces": [_message(piece) for piece in found.pieces],
        "across": [_message(piece) for piece in across[:MOST_ABSENT]],
        "back": [_message(piece) for piece in back[:MOST_ABSENT]],
        "n_more": len(found.absent) - listed,
    }


def _message(piece: Piece) -> BoundaryPieceMessage:
    return {"text": piece.text, "weight": None if piece.weight is None else round(piece.weight, 4)}
