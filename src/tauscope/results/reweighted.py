"""What is said of a reweighting alike whether its rows are here or went by in chunks."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.trust import doubts
from tauscope.stress.joint.projection import Status
from tauscope.stress.joint.terms import Term


def achieved_table(terms: Sequence[Term], values: NDArray[np.float64]) -> pd.DataFrame:
    """Return what each constraint required and what the weights achieve; `constraint, required, achieved`."""
    names, required = [term.name for term in terms], [term.required for term in terms]
    return pd.DataFrame({"constraint": names, "required": required, "achieved": values})


def reweighting_doubts(status: Status, message: str, ess: float, pareto_k: float) -> tuple[str, ...]:
    """Return what speaks against numbers computed with the weights; empty when nothing does."""
    unmet = (message,) if status == "unconverged" else ()
    return (*unmet, *doubts(ess, pareto_k))


def with_remarks(lines: list[str], status: Status, message: str, remarks: Sequence[str]) -> str:
    """Put a status that is no doubt, then doubts and notes, below the lines of a reweighting's text."""
    lines = lines if status == "unconverged" else [*lines, f"  {message}"]
    return "\n".join([*lines, *(f"  {word}" for word in remarks)])
