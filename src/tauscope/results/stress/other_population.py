"""Another population, as far as it is known: its margins, its rows' labels, and what of it no row here is like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.base import records
from tauscope.results.formatting import number, share
from tauscope.results.stress.numbers.observed import Observed
from tauscope.stress.distances import mean_and_deviation
from tauscope.stress.towards.approach import MET, Approached
from tauscope.stress.towards.margins import Margins
from tauscope.stress.towards.unlike import RARE
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.features import Feature

Array = NDArray[np.float64]
BEYOND = {
    "below": "below the lowest",
    "above": "above the highest",
    "unseen": "with a level not seen here",
}
"""Columns of `Novelty.beyond`, in words."""
BALANCE = ("feature", "mean_before", "mean_after", "mean_there", "smd_before", "smd_after")
"""Columns of a balance."""
MOST = 8
"""Names in a sentence."""


@dataclass(frozen=True, eq=False)
class Novelty:
    """What of a new sample no row here is like.

    Attributes
    ----------
    beyond : DataFrame
        Of each column, the share of the new rows `below` and `above` all rows here, and with a level `unseen` here.
    share : float
        Of the new rows compared, those farther from every row here than all but 1 % of the rows here are from each
        other, in the columns that both have; NaN of fewer than 3 rows.
    rows : ndarray of int
        Their positions, the farthest first.
    n_compared : int
    """

    beyond: pd.DataFrame
    share: float
    rows: NDArray[np.int64]
    n_compared: int

    @property
    def notes(self) -> tuple[str, ...]:
        """In words, the columns with the most first; empty where rows here are like all of the new ones."""
        parts = {
            row["feature"]: [f"{share(row[name])} {words}" for name, words in BEYOND.items() if row[name] > 0]
            for row in records(self.beyond)
        }
        said = [f"{feature}: {' and '.join(words)}" for feature, words in parts.items() if words]
        out = (f"Of the new rows, beyond the rows here: {_listed(said, '; ')}.",) if said else ()
        if not np.isfinite(self.share):
            return out
        return (
            *out,
            f"{share(self.share)} of {count(self.n_compared, 'new row')} have no row here that is like them (of rows "
            f"like these {share(RARE)} would).",
        )


@dataclass(frozen=True, eq=False)
class Target:
    """Another population, as far as it is known.

    Attributes
    ----------
    margins : Margins
        What the rows shall have.
    n_rows : int
        Of the new sample; 0 where a table of margins was given.
    means : mapping of str to float
        By feature, its mean or share there.
    left_out : tuple of (name, reason)
        Features whose margin is not among those.
    missing : tuple of str
        Columns of the study that the new sample lacks.
    novelty : Novelty or None
        None for a table.
    observed : mapping of str to Observed, or None
        By metric, what the labels of the new sample say; None without them.
    weighted : bool
        Whether the rows of the new sample have weights.
    """

    margins: Margins
    n_rows: int
    means: Mapping[str, float]
    left_out: tuple[tuple[str, str], ...]
    missing: tuple[str, ...]
    novelty: Novelty | None
    observed: Mapping[str, Observed] | None
    weighted: bool = False

    @property
    def name(self) -> str:
        """What it is: "1,200 new rows", "a table of margins"."""
        return count(self.n_rows, "new row") if self.n_rows else "a table of margins"

    @property
    def notes(self) -> tuple[str, ...]:
        """What of it no row here is like, and what of it is not among the margins."""
        reasons = dict.fromkeys(reason for _, reason in self.left_out)
        left = [f"{_listed([name for name, why in self.left_out if why == reason])} ({reason})" for reason in reasons]
        return (
            *(self.novelty.notes if self.novelty is not None else ()),
            *((f"Not among the margins: {'; '.join(left)}.",) if left else ()),
            *((f"The new rows lack {_listed(self.missing)}.",) if self.missing else ()),
        )


def margin_table(margins: Margins, solution: Approached) -> pd.DataFrame:
    """Return the rows of `TargetPopulation.margins`."""
    out_of_range = (margins.wanted < solution.low) | (margins.wanted > solution.high)
    # of a variance the range is that of squared deviations about the mean asked for, which the amount moves
    missed = np.abs(solution.missed) > MET
    said = np.select(
        [missed & out_of_range, missed, solution.follows], ["out of range", "missed", "follows"], "reached"
    )
    return pd.DataFrame(
        {
            "margin": [margin.name for margin in margins.which],
            "before": solution.present,
            "there": margins.wanted,
            "required": solution.required,
            "achieved": solution.achieved,
            "missed": solution.missed,
            "lowest": solution.low,
            "highest": solution.high,
            "status": said,
        }
    )


def missed_margins(margins: pd.DataFrame) -> tuple[str, ...]:
    """Say each margin that is not met, the farthest first."""
    far = margins["missed"].abs()
    order = np.argsort(-far.to_numpy(), kind="stable")[: int((far > MET).sum())]
    return tuple(
        f"{row['margin']}, {number(row['achieved'])} where {number(row['required'])} is asked, "
        f"{number(abs(row['missed']))} standard deviations off"
        for row in records(margins.iloc[order])
    )


def balance_table(
    features: Iterable[Feature], means: Mapping[str, float], before: Array | None, after: Array
) -> pd.DataFrame:
    """Return the rows of `TargetPopulation.balance`, under weights before and after."""
    rows: list[tuple[str, float, float, float, float, float]] = []
    for feature in features:
        there = means.get(feature.name, np.nan)
        if not np.isfinite(there):
            continue
        values = feature.values()
        mean, sd = mean_and_deviation(values, before)
        now, _ = mean_and_deviation(values, after)
        if sd > 0:
            rows.append((feature.name, mean, now, there, (mean - there) / sd, (now - there) / sd))
    return sort_balance(pd.DataFrame(rows, columns=list(BALANCE)))


def sort_balance(table: pd.DataFrame) -> pd.DataFrame:
    """Put the features that are farthest before first."""
    order = np.argsort(-table["smd_before"].abs().to_numpy(np.float64), kind="stable")
    return table.iloc[order].reset_index(drop=True)


def _listed(names: Sequence[str], between: str = ", ") -> str:
    more = [f"and {len(names) - MOST:,} more"] if len(names) > MOST else []
    return between.join([*names[:MOST], *more])
