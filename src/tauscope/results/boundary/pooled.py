"""The directions of many rows pooled into one: which features carry their decisions, where present and where absent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd

from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.boundary.pooling import pooled_rows, weight_of_starts
from tauscope.results.boundary.text import pooled_interval, pooled_notes, pooled_summary, subset_words
from tauscope.weights.arrays import Floats, Ints
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.boundary.boundaries import Boundaries
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.results.stress.scenario import Scenario
    from tauscope.stress.joint.constraints import Constraint, Stress


@dataclass(frozen=True, repr=False, eq=False)
class PooledBoundary(Charted):
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
        Weighted sum over rows of each direction divided by its largest entry, scaled to length 1. Above 0 where more
        of the feature leads to `towards`, whether rows have it or not; entries are those of `Boundary.direction`.
    present : ndarray of shape (p,)
        The part of `direction` from rows in which the feature is present.
    absent : ndarray of shape (p,)
        The part from rows in which it is absent; both add up to `direction`.
    direction_ends, present_ends, absent_ends : ndarray of shape (2, p)
        Lower and upper ends of their intervals for the chance in drawing these rows; NaN where fewer than two
        effective rows were pooled, or their directions cancel. Weights are taken as known, the model and each row's
        direction as they are. See `tauscope.boundary.pooled.pool_directions`.
    confidence : float
        Level of the intervals.
    agreement : float
        Weighted mean cosine of the rows' directions with the pooled one: 1 where all point alike.
    wobble : float
        Standard error of the pooled direction, over its length before it is scaled to 1. Above 0.25 the rows point too
        differently for how few they are: the direction is not settled, and its intervals are too short.
    ess : float
        Effective rows, (Σw)² / Σw² of those pooled.
    n_rows : int
        Rows pooled: those with a direction and a weight.
    n_present : ndarray of shape (p,)
        Of these, rows in which the feature is present.
    weighted : bool
        Whether the rows carry weights.
    subset : str
        Which rows these are, in words: "4 of 60 rows".

    Examples
    --------
    >>> pooled = study.pooled_boundary(range(20))
    >>> pooled.under(ts.Mean("mean radius", tau=0.2)).ess < pooled.ess
    True
    """

    boundaries: Boundaries
    weight: Floats
    towards: str | None
    direction: Floats
    present: Floats
    absent: Floats
    direction_ends: Floats
    present_ends: Floats
    absent_ends: Floats
    confidence: float
    agreement: float
    wobble: float
    ess: float
    n_rows: int
    n_present: Ints
    weighted: bool
    _given: Ints
    """Positions of the rows asked about, −1 for new rows; those of `boundaries`, unless `max_rows` drew from them."""

    subset: str

    @classmethod
    def _of(cls, found: Boundaries, sample_weight: Floats | None, confidence: float, given: Ints | None = None) -> Self:
        """Pool boundaries by weights of the study's rows, shape (n_rows,); None, and new rows: all alike.

        Of rows drawn from others, `given` are the positions of those.
        """
        rows, weight = pooled_rows(found), weight_of_starts(found, sample_weight)
        pooled = rows.pool(weight, confidence)
        given = found._numbers.row if given is None else given
        return cls(
            found,
            weight,
            rows.towards,
            pooled.direction,
            pooled.present,
            pooled.absent,
            pooled.direction_ends,
            pooled.present_ends,
            pooled.absent_ends,
            confidence,
            pooled.agreement,
            pooled.wobble,
            pooled.size,
            n_rows=pooled.n,
            n_present=rows.directions.n_present(rows.directions.usable & (weight > 0)),
            weighted=sample_weight is not None,
            _given=given,
            subset=subset_words(found, given),
            source=found.source,
        )

    @property
    def title(self) -> str:
        """Name the pooled boundary: "Pooled boundary of 36 rows, towards malignant"."""
        towards = "" if self.towards is None else f", towards {self.towards}"
        return f"Pooled boundary of {count(self.n_rows, 'row')}{towards}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.boundaries.model_name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the columns, how many rows have no direction, and what to doubt."""
        return (*self.boundaries.notes, *pooled_notes(self))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, the largest first: `feature`, `direction`, `present`, `absent`, their ends, and `n`.

        `present` and `absent` are the parts of `direction` from rows in which the feature is present and absent; `n`
        counts the rows in which it is present. `lower` and `upper` are the ends of the interval of `direction`,
        `present_lower` and so on of the parts.
        """
        table = pd.DataFrame(
            {
                "feature": list(self.boundaries.feature_names),
                "direction": self.direction,
                "lower": self.direction_ends[0],
                "upper": self.direction_ends[1],
                "present": self.present,
                "present_lower": self.present_ends[0],
                "present_upper": self.present_ends[1],
                "absent": self.absent,
                "absent_lower": self.absent_ends[0],
                "absent_upper": self.absent_ends[1],
                "n": self.n_present,
            }
        )
        return table.iloc[np.argsort(-np.abs(self.direction), kind="stable")].reset_index(drop=True)

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on."""
        return self.boundaries.n_model_rows

    def under(self, stress: Constraint | Stress | Scenario | Reweighting, *, quantile: float = 0.05) -> PooledBoundary:
        """Pool the same rows by the weights of a stress; the model is not asked again.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario or Reweighting
            As in `Study.under`; solved from the study's own weights.
        quantile : float, default 0.05
            As in `Study.under`.

        Returns
        -------
        PooledBoundary
            What `study.under(stress).pooled_boundary(rows)` gives.

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputTypeError
            As `Study.reweight`.
        InputError
            For new rows, which are not the study's to weigh, and where the rows that have a direction have no weight.
        """
        study = self._require_source()
        if self.n_new:
            raise InputError(
                f"A stress weighs the rows of the study; these are {count(self.n_new, 'new row')}. Pool rows of the "
                "study, or "
                "make a study of the new rows: Study(model, X)."
            )
        stressed = study.under(stress, quantile=quantile)
        found = replace(self.boundaries, source=stressed)
        return PooledBoundary._of(found, stressed.sample_weight, self.confidence, self._given)

    @property
    def n_drawn_from(self) -> int:
        """Rows that those pooled were drawn from; 0 where all were taken."""
        return len(self._given) if len(self._given) > len(self.boundaries) else 0

    @property
    def n_new(self) -> int:
        """Rows that are not the study's, and that no stress weighs."""
        return int((self.boundaries._numbers.row < 0).sum())

    def widget(self, **traits: Any) -> show.PooledBoundaryView:
        """Make the widget: the features as bars, before and after the stress that linked views share.

        Parameters
        ----------
        **traits
            First values of its traits; see `PooledBoundaryView`.

        Returns
        -------
        PooledBoundaryView
        """
        return show.view(self, **traits)

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

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: how it was computed, and one record a feature."""
        return self.boundaries._document() | {
            "schema": "tauscope.pooled_boundary",
            "title": self.title,
            "towards": self.towards,
            "weighted": self.weighted,
            "n_rows": self.n_rows,
            "n_drawn_from": self.n_drawn_from,
            "ess": self.ess,
            "agreement": self.agreement,
            "wobble": self.wobble,
            "confidence": self.confidence,
            "interval": pooled_interval(self.confidence, self.weighted),
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        return pooled_summary(self)
