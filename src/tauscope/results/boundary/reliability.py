"""How far an explanation can be relied on, by the engine's rule, one row at a time.

The rule and its thresholds are those of `tauscope.boundary.reliability`; the sentences stand in `text.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from tauscope.boundary.reliability import LEVELS, REASONS, Level, Verdict, judge
from tauscope.results.boundary.numbers import BoundaryNumbers

__all__ = ["Level", "Reason", "level_at", "reasons_at", "verdict_of"]


class Reason(NamedTuple):
    """What speaks against an explanation, and the number its sentence quotes."""

    name: str
    amount: float = float("nan")


def verdict_of(numbers: BoundaryNumbers) -> Verdict:
    """Judge every explanation of a run."""
    found = numbers.inspection
    return judge(found.diagnostics, found.unsteady, found.paths)


def reasons_at(numbers: BoundaryNumbers, verdict: Verdict, i: int) -> tuple[Reason, ...]:
    """Return what speaks against the explanation of start i, the gravest first; nothing where no point was found."""
    if numbers.status(i) != "found":
        return ()
    return tuple(
        Reason(rule.name, float(verdict.amount[i, code])) for code, rule in enumerate(REASONS) if verdict.holds[i, code]
    )


def level_at(numbers: BoundaryNumbers, verdict: Verdict, i: int) -> Level | None:
    """Return the level of start i; None where no point was found."""
    return LEVELS[int(verdict.level[i])] if numbers.status(i) == "found" else None
