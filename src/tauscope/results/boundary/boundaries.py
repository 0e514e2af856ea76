"""The boundaries near many rows, of one batched run: a line each, their directions and points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.boundary.boundary import Boundary
from tauscope.results.boundary.sparse import SparseNumbers
from tauscope.results.boundary.tables import points_table, rows_table
from tauscope.results.boundary.text import boundaries_summary
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.boundary.detection import Status
    from tauscope.results.boundary.numbers import BoundaryNumbers
    from tauscope.results.boundary.spec import BoundarySpec


@dataclass(frozen=True, repr=False, eq=False)
class Boundaries(Charted):
    """The nearest points found for many rows; iterate over them, or take the i-th.

    Made by `Study.boundaries`.

    Attributes
    ----------
    model_name : str

    Examples
    --------
    >>> found = study.boundaries([0, 1])
    >>> found.frame["distance"].round(2).tolist()
    [0.97, 0.62]
    """

    _spec: BoundarySpec
    """The options they were searched with."""

    _numbers: BoundaryNumbers
    """The engine's arrays, of n starts."""

    model_name: str
    _extra_notes: tuple[str, ...] = ()
    """What is to be known of the columns and options."""

    @property
    def title(self) -> str:
        """Name the boundaries: "Boundaries at 1,000 rows"."""
        return f"Boundaries at {count(len(self), 'row')}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the columns and options."""
        return self._extra_notes

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns; of sparse rows those that any of them is about."""
        return self._numbers.feature_names

    @property
    def frame(self) -> pd.DataFrame:
        """One row for each: what is predicted and reached, distances, diagnostics, reliability and the first reason.

        `row` and `rival_row` are positions, −1 for new values and for none; `distance` is ∞ where none was found.
        """
        return rows_table(self._numbers)

    @property
    def directions(self) -> pd.DataFrame:
        """Unit directions as `Boundary.direction` has them, shape (n, p); of sparse rows sparse columns."""
        if isinstance(self._numbers, SparseNumbers):
            return self._numbers.directions
        index = pd.Index(self._numbers.row, name="row")
        return pd.DataFrame(self._numbers.inspection.explanation.direction, index, list(self.feature_names))

    @property
    def points(self) -> pd.DataFrame:
        """The points in the features' own values, shape (n, p); missing where none was found.

        Of sparse rows sparse columns, those that any row is about.
        """
        if isinstance(self._numbers, SparseNumbers):
            return self._numbers.points
        return points_table(self._numbers, self._numbers.inspection.point, pd.Index(self._numbers.row, name="row"))

    @property
    def statuses(self) -> dict[Status, int]:
        """How many rows came out how."""
        return dict(Counter(self._numbers.status(i) for i in range(len(self))))

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        return self._numbers.n_model_rows

    @property
    def random_state(self) -> int:
        """The seed."""
        return self._numbers.inspection.options.random_state

    def __len__(self) -> int:
        return self._numbers.n

    def __getitem__(self, i: int) -> Boundary:
        place = range(len(self))[i]
        return Boundary(
            self._spec,
            self._numbers.take(place),
            self.model_name,
            self._extra_notes,
            source=self.source,
            computed_on=self.computed_on,
        )

    def __iter__(self) -> Iterator[Boundary]:
        return (self[i] for i in range(len(self)))

    def chart(self) -> alt.LayerChart:
        """Draw how far the decisions are from flipping, by what is predicted.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the options that matter, and a line for each row."""
        return {
            "schema": "tauscope.boundaries",
            "version": 1,
            "title": self.title,
            "model": self.model_name,
            "metric": self._numbers.space.metric,
            "n_model_rows": self.n_model_rows,
            "random_state": self.random_state,
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return boundaries_summary(self)

    def median_distance(self) -> float:
        """Median distance of those found; NaN where there is none."""
        distance = self._numbers.inspection.distance
        finite = distance[np.isfinite(distance)]
        return float(np.median(finite)) if len(finite) else float("nan")
