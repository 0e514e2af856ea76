"""How far the worst case may go: a distance of the weights, moves of means, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tauscope.results.formatting import number, share
from tauscope.stress.worst.rows import Distance
from tauscope.words import quoted_name

NAMED = 4


@dataclass(frozen=True)
class Within:
    """How far weights or means may move.

    Attributes
    ----------
    distance : Distance or None
        Of the weights from those the rows have.
    moves : tuple of (str, float, float)
        Of features by name, how far down and up the mean may move, in the feature's unit; down at most 0.
    """

    distance: Distance | None = None
    moves: tuple[tuple[str, float, float], ...] = ()

    def part(self, amount: float) -> Within:
        """Return a part of it, in (0, 1]."""
        distance = None if self.distance is None else Distance(self.distance.kind, amount * self.distance.limit)
        return Within(distance, tuple((name, amount * low, amount * high) for name, low, high in self.moves))

    def as_argument(self) -> dict[str, Any]:
        """Return it as `worst_case` takes it."""
        distance = {} if self.distance is None else {self.distance.kind: self.distance.limit}
        return {**{name: (low, high) for name, low, high in self.moves}, **distance}

    def words(self, over: str, moved: Sequence[str]) -> str:
        """Say it: "means of age and hours-per-week, KL up to 0.05"."""
        limits: list[str] = []
        if self.moves:
            limits = [
                f"{quoted_name(name)} by {number(low)} to {_plus(high)}" for name, low, high in self.moves[:NAMED]
            ]
            limits += [f"{len(self.moves) - NAMED} more"] if len(self.moves) > NAMED else []
            limits = ["means moved: " + ", ".join(limits)]
        else:
            more = f" and {len(moved) - NAMED} more" if len(moved) > NAMED else ""
            named = f"{', '.join(map(quoted_name, moved[:NAMED]))}{more}"
            limits = ["any row reweighted" if over == "rows" else f"means of {named}"]
        if self.distance is not None:
            of_tv = f"up to {share(self.distance.limit)} of the weight moved"
            limits.append(of_tv if self.distance.kind == "tv" else f"KL up to {number(self.distance.limit)}")
        return ", ".join(limits)


def _plus(value: float) -> str:
    return f"+{number(value)}" if value > 0 else number(value)
