"""The directions of many rows pooled into one: which features carry their decisions, where present and where absent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Result, records
from tauscope.results.boundary.text import pooled_summary
from tauscope.weights.arrays import Floats, Ints

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.boundary.boundaries import Boundaries


@dataclass(frozen=True, repr=False, eq=False)
class PooledBoundary(Result):
    """A weighted mean of the directions that leave the decisions of some rows [DBA eq 4.1].

    Made by `Study.pooled_boundary`.

    Attributes
    ----------
    boundaries : Boundaries
        Of the rows pooled.
    weight : ndarray of shape (n,)
        Of each row: the study's, λ under a stress.
    towards : str or None
        The class that all directions lead to; None: away from each row's own.
    direction : ndarray of shape (p,)
        Weighted sum over rows of each direction divided by its largest entry, scaled to length 1.
    present : ndarray of shape (p,)
        The part of `direction` from rows in which the feature is present.
    absent : ndarray of shape (p,)
        The part from rows in which it is absent; both add up to `direction`.
    n_rows : int
        Rows pooled: those with a direction and a weight.
    n_present : ndarray of shape (p,)
        Of these, rows in which the feature is present.
    weighted : bool
        Whether the rows carry weights.
    """

    boundaries: Boundaries
    weight: Floats
    towards: str | None
    direction: Floats
    present: Floats
    absent: Floats
    n_rows: int
    n_present: Ints
    weighted: bool

    @property
    def title(self) -> str:
        """Name the pooled boundary: "Pooled boundary of 36 rows, towards malignant"."""
        towards = "" if self.towards is None else f", towards {self.towards}"
        return f"Pooled boundary of {self.n_rows:,} row{'' if self.n_rows == 1 else 's'}{towards}"

    @property
    def caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.boundaries.model_name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the columns, and how many rows have no direction."""
        missing = len(self.boundaries) - self.n_rows
        left_out = f"{missing:,} of {len(self.boundaries):,} rows have no direction or no weight and are left out"
        return (*self.boundaries.notes, *([left_out] if missing else []))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, the largest first: `feature`, `direction`, `present`, `absent`, `n`.

        `present` and `absent` are the parts of `direction` from rows in which the feature is present and absent; `n`
        counts the rows in which it is present.
        """
        table = pd.DataFrame(
            {
                "feature": list(self.boundaries.feature_names),
                "direction": self.direction,
                "present": self.present,
                "absent": self.absent,
                "n": self.n_present,
            }
        )
        return table.iloc[np.argsort(-np.abs(self.direction), kind="stable")].reset_index(drop=True)

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        return self.boundaries.n_model_rows

    def chart(self, *, n_features: int = 20) -> alt.LayerChart:
        """Draw the features as bars, the largest first.

        Parameters
        ----------
        n_features : int, default 20
            Most bars.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self, n_features=n_features)

    def document(self) -> dict[str, Any]:
        """Return what .json holds: how it was computed, and one record a feature."""
        return self.boundaries.document() | {
            "schema": "tauscope.pooled_boundary",
            "title": self.title,
            "towards": self.towards,
            "weighted": self.weighted,
            "n_rows": self.n_rows,
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return pooled_summary(self)
