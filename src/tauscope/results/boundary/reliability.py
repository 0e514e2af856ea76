"""How far an explanation can be relied on, from its diagnostics: levels and reasons as data."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from tauscope.results.boundary.numbers import BoundaryNumbers

Level = Literal["reliable", "doubtful", "unreliable"]
ReasonKind = Literal["unsteady", "no_crossing", "returns", "one_sided", "unfaithful", "askew", "unstable", "unsettled"]
LEVEL_OF: dict[ReasonKind, Level] = {
    "unsteady": "unreliable",
    "no_crossing": "unreliable",
    "returns": "doubtful",
    "one_sided": "doubtful",
    "unfaithful": "doubtful",
    "askew": "doubtful",
    "unstable": "doubtful",
    "unsettled": "doubtful",
}
"""By reason, the gravest first."""
BALANCE = (0.3, 0.7)
MIN_FAITHFULNESS = 0.7
MIN_COSINE = 0.5
MIN_STABILITY = 0.9


class Reason(NamedTuple):
    """What speaks against an explanation, and the number its sentence quotes."""

    kind: ReasonKind
    amount: float = float("nan")


def reasons_at(numbers: BoundaryNumbers, i: int) -> tuple[Reason, ...]:
    """Find what speaks against the explanation of start i, the gravest first; what was not computed says nothing."""
    found = numbers.inspection
    if numbers.status(i) != "found":
        return ()
    value = {name: float(values[i]) for name, values in numbers.diagnostics().items()}
    returns = found.paths is not None and bool(found.paths.returns[i])
    low, high = BALANCE
    holds: dict[ReasonKind, tuple[bool, float]] = {
        "unsteady": (bool(found.unsteady[i]), np.nan),
        "no_crossing": (bool(np.isposinf(value["crossing_ratio"])), np.nan),
        "returns": (returns, float(found.paths.crossing[i]) if found.paths is not None else np.nan),
        "one_sided": (value["balance"] < low or value["balance"] > high, value["balance"]),
        "unfaithful": (value["faithfulness"] < MIN_FAITHFULNESS, value["faithfulness"]),
        # a direction that crosses before the point's own distance is no worse for leading elsewhere
        "askew": (value["cosine"] < MIN_COSINE and not value["crossing_ratio"] <= 1, value["cosine"]),
        "unstable": (value["stability"] < MIN_STABILITY, value["stability"]),
        "unsettled": (not bool(found.detection.settled[i]), np.nan),
    }
    return tuple(Reason(kind, amount) for kind, (is_so, amount) in holds.items() if is_so)


def level_of(reasons: tuple[Reason, ...]) -> Level:
    """Return the gravest level among reasons; "reliable" where there is none."""
    levels = {LEVEL_OF[reason.kind] for reason in reasons}
    return "unreliable" if "unreliable" in levels else "doubtful" if levels else "reliable"
