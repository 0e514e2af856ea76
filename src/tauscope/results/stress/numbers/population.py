"""Which population one is looking at under a stress, as a sentence."""

import math
from collections.abc import Iterable

from tauscope.results.stress.numbers.natural_units import written_means
from tauscope.stress.joint.terms import Term
from tauscope.words import quoted_name


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
    is_share = term.kind == "share" or term.reading == "0/1"
    after, before = written_means("0/1" if is_share else term.reading, achieved, term.present, even=True)
    if is_share:
        quantity = f"{quoted_name(term.subject)} for {after} of rows"
    else:
        quantity = (
            f"{quoted_name(term.subject)} {after} on average" if term.kind == "mean" else f"{term.quantity} {after}"
        )
    unmoved = math.isclose(achieved, term.present, rel_tol=1e-9, abs_tol=1e-9)
    return f"{quantity} as before" if unmoved else f"{quantity} (was {before})"
