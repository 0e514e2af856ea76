"""Which population one is looking at under a stress, as a sentence."""

import math
from collections.abc import Iterable

from tauscope.stress.joint.terms import Term


def population(terms: Iterable[Term], achieved: Iterable[float], ess: float, n_rows: int) -> str:
    """Say what a stress changed and what is left to estimate from.

    Parameters
    ----------
    terms : iterable of Term
    achieved : iterable of float
        What each quantity has become.
    ess : float
        Effective sample size, rows.
    n_rows : int

    Returns
    -------
    str
        "age 45.0 on average (was 38.6); effective sample 4,210 of 6,400"
    """
    return f"{changes(terms, achieved)}; effective sample {ess:,.0f} of {n_rows:,}"


def changes(terms: Iterable[Term], achieved: Iterable[float]) -> str:
    """Say what a stress changed: "age 45.0 on average (was 38.6)"; parameters as in `population`."""
    words = [_change(term, value) for term, value in zip(terms, achieved, strict=True) if term.kind != "rows"]
    return ", ".join(words)


def _change(term: Term, achieved: float) -> str:
    percent = term.kind == "share"
    scale = 100.0 if percent else 1.0
    after, before = alike(scale * achieved, scale * term.present)
    match term.kind:
        case "mean":
            quantity = f"{term.subject} {after} on average"
        case "share":
            quantity = f"{term.subject} for {after} % of rows"
            before = f"{before} %"
        case _:
            quantity = f"{term.quantity} {after}"
    unmoved = math.isclose(achieved, term.present, rel_tol=1e-9, abs_tol=1e-9)
    return f"{quantity} as before" if unmoved else f"{quantity} (was {before})"


def alike(value: float, other: float) -> tuple[str, str]:
    """Write two values to the same number of decimals: three figures of the larger, two of their difference."""
    largest, apart = max(abs(value), abs(other)), abs(value - other)
    decimals = 2 - _power(largest) if largest else 0
    if apart > 1e-12 * largest:
        decimals = max(decimals, 1 - _power(apart))
    decimals = min(max(decimals, 0), 12)
    if not math.isfinite(largest) or largest >= 1e9 or 0 < largest < 1e-4:
        return f"{value:.3g}".replace("-", "−"), f"{other:.3g}".replace("-", "−")
    return _fixed(value, decimals), _fixed(other, decimals)


def _power(size: float) -> int:
    return math.floor(math.log10(size)) if math.isfinite(size) else 0


def _fixed(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text.replace("-", "−")
