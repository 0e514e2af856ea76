"""The boundary near one row: the nearest point that flips the decision, and the direction that leads there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from tauscope.boundary.detection import Status
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.boundary.numbers import Certificate
from tauscope.results.boundary.reliability import Level, Reason, level_at, reasons_at, verdict_of
from tauscope.results.boundary.tables import change_table, path_table, points_table
from tauscope.results.boundary.text import boundary_sentence, boundary_summary, reason_sentence, status_sentence
from tauscope.weights.arrays import Floats

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.boundary.numbers import BoundaryNumbers
    from tauscope.results.boundary.spec import BoundarySpec


@dataclass(frozen=True, eq=False)
class BoundaryRegion:
    """One of several stretches of the boundary around a row.

    Attributes
    ----------
    point : ndarray of shape (p,)
        Nearest point found on it.
    distance : float
    label : int
        Code of what is decided there.
    direction : ndarray of shape (p,)
        Unit direction in units of the scale, with signs as those of `Boundary.direction`.
    share : float
        Of the crossings found, those on this stretch, in (0, 1].
    """

    point: Floats
    distance: float
    label: int
    direction: Floats
    share: float


@dataclass(frozen=True, eq=False)
class DiverseRow:
    """One of several points beyond the boundary that differ in what they change.

    Attributes
    ----------
    point : ndarray of shape (p,)
    distance : float
    label : int
        Code of what is decided there.
    n_changed : int
        Columns, and groups of columns, that differ from the row.
    nearest : float
        Distance to the nearest row that is predicted as the point.
    density : float
        Local density there against that of the rows predicted so: above 1 in a crowd, below 1 apart.
    """

    point: Floats
    distance: float
    label: int
    n_changed: int
    nearest: float
    density: float


@dataclass(frozen=True, repr=False, eq=False)
class Boundary(Charted):
    """The nearest point found where a model decides otherwise, and the direction that leads to the boundary.

    Made by `Study.boundary`.

    Attributes
    ----------
    model_name : str
    regions : tuple of BoundaryRegion
        Of `n_regions` above 1.
    diverse : tuple of DiverseRow
        Of `n` above 1.

    Examples
    --------
    >>> boundary = study.boundary(0)
    >>> boundary.frame.columns.tolist()[:4]
    ['feature', 'value', 'point', 'rival']
    """

    _spec: BoundarySpec
    """The options it was searched with."""

    _numbers: BoundaryNumbers
    """The engine's arrays, of one start."""

    model_name: str
    _extra_notes: tuple[str, ...] = ()
    """What is to be known of the columns and options; first among the `notes`."""

    regions: tuple[BoundaryRegion, ...] = ()
    diverse: tuple[DiverseRow, ...] = ()
    _extra_model_rows: int = 0
    """Rows the model was called on for these."""

    @property
    def title(self) -> str:
        """Name the boundary: "Boundary at row 17"."""
        row = self.row
        return "Boundary at the row given" if row is None else f"Boundary at row {row}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def row(self) -> int | None:
        """Position among the study's rows; None for new values."""
        return int(self._numbers.row[0]) if self._numbers.row[0] >= 0 else None

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the columns; of a sparse row those not 0 in it, in the point, the rival or the direction."""
        return self._numbers.feature_names

    @property
    def status(self) -> Status:
        """What came out: found, or no_rival, none_within_constraints, nothing_to_move, budget."""
        return self._numbers.status(0)

    @property
    def message(self) -> str:
        """What the status means, and what was tried."""
        return status_sentence(self._numbers, 0)

    @property
    def sentence(self) -> str:
        """What is predicted, what flips it how far away, and what cannot."""
        return boundary_sentence(self._numbers, 0)

    @property
    def predicted(self) -> str:
        """What is decided for the row."""
        return self._numbers.classes[int(self._numbers.label[0])]

    @property
    def reached(self) -> str | None:
        """What is decided at the point; None where none was found."""
        return self._class_name(int(self._numbers.inspection.label[0]))

    @property
    def value(self) -> pd.Series:
        """The row's own values by feature."""
        return self._series(self._numbers.start[0])

    @property
    def point(self) -> pd.Series:
        """Values by feature of the nearest point found that is decided otherwise; missing where none was found."""
        return self._series(self._numbers.inspection.point[0])

    @property
    def rival(self) -> pd.Series:
        """Values by feature of the row whose side the search came from; missing where there is none."""
        return self._series(self._numbers.rival[0])

    @property
    def rival_row(self) -> int | None:
        """Its position among the study's rows."""
        row = int(self._numbers.inspection.detection.rival[0])
        return row if row >= 0 else None

    @property
    def distance(self) -> float:
        """Distance to the point; ∞ where none was found."""
        return float(self._numbers.inspection.distance[0])

    @property
    def distance_bisected(self) -> float:
        """Distance of the point before it was brought nearer, as published."""
        return float(self._numbers.inspection.detection.distance[0])

    @property
    def distance_lower(self) -> float:
        """No point nearer than this is decided otherwise; 0 where nothing is proved."""
        return float(self._numbers.lower[0])

    @property
    def certificate(self) -> Certificate:
        """How the lower distance is known: "exact", "trees: boxes", "linear relaxation" or "none"."""
        return self._numbers.certificate[0]

    @property
    def direction(self) -> pd.Series:
        """Direction that leaves the decision, of length 1, by feature in units of the distance.

        Above 0 where more of the feature leads to the other side, below 0 where less does: of a column of 0 and 1, of
        False and True, or of two levels, the second of them. The columns of a one-hot group count each level against
        the mean of the group's levels, or against the level left out in encoding. Of three levels or more without an
        order it is the size of what they differ by, and has no sign.
        """
        return pd.Series(self._numbers.inspection.explanation.direction[0], self._names, name="direction")

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature, the changes that matter first.

        `feature`, `value`, `point`, `rival`; `change` in the feature's unit; `change_scaled` in units of the distance,
        1 for another level; `direction`, with a sign as `Boundary.direction` says; `step`, the change of a number in
        its own unit per unit of distance along the direction, missing for levels.
        """
        return change_table(self._numbers)

    @property
    def path(self) -> pd.DataFrame:
        """What is answered along the direction: `length`, `answer` of the row's own class, `label`."""
        return path_table(self._numbers)

    @property
    def crossing(self) -> float:
        """Length along the direction at which the decision first flips; ∞ where it does not."""
        paths = self._numbers.inspection.paths
        return float("nan") if paths is None else float(paths.crossing[0])

    @property
    def diagnostics(self) -> pd.Series:
        """How good the explanation is: balance, faithfulness, balanced_accuracy, cosine, …, r2."""
        return pd.Series({name: float(values[0]) for name, values in self._numbers.diagnostics().items()})

    @cached_property
    def doubts(self) -> tuple[Reason, ...]:
        """What speaks against the explanation, as data."""
        return reasons_at(self._numbers, verdict_of(self._numbers), 0)

    @property
    def reliability(self) -> Level | None:
        """Level of trust in the explanation: reliable, wide or unreliable; None where no point was found."""
        return level_at(self._numbers, verdict_of(self._numbers), 0)

    @property
    def reasons(self) -> tuple[str, ...]:
        """What speaks against the explanation, a sentence each; empty where it is reliable."""
        return tuple(reason_sentence(reason) for reason in self.doubts)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be known of the columns and options."""
        return self._extra_notes

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on; a row asked for label and for answer counts twice."""
        return self._numbers.n_model_rows + self._extra_model_rows

    @property
    def random_state(self) -> int:
        """The seed."""
        return self._numbers.inspection.options.random_state

    @property
    def regions_frame(self) -> pd.DataFrame:
        """One row for each stretch of the boundary, the nearest first: `distance`, `reached`, `share`, its point."""
        table = pd.DataFrame(
            {
                "distance": [one.distance for one in self.regions],
                "reached": [self._class_name(one.label) for one in self.regions],
                "share": [one.share for one in self.regions],
            }
        )
        return pd.concat([table, self._points([one.point for one in self.regions])], axis=1)

    @property
    def diverse_frame(self) -> pd.DataFrame:
        """One row for each point that differs in what it changes, the nearest first.

        `distance`, `reached`, `n_changed`, `nearest` (distance to the nearest row predicted as the point), `density`,
        and its values by feature.
        """
        table = pd.DataFrame(
            {
                "distance": [one.distance for one in self.diverse],
                "reached": [self._class_name(one.label) for one in self.diverse],
                "n_changed": [one.n_changed for one in self.diverse],
                "nearest": [one.nearest for one in self.diverse],
                "density": [one.density for one in self.diverse],
            }
        )
        return pd.concat([table, self._points([one.point for one in self.diverse])], axis=1)

    @property
    def projection(self) -> pd.DataFrame | None:
        """Partial least squares: the sample on the two components: `first`, `second`, `label`; else None."""
        projected = self._numbers.inspection.explanation.projection
        if projected is None:
            return None
        points, codes = projected
        labels = [self._numbers.classes[int(code)] for code in codes]
        return pd.DataFrame({"first": points[:, 0], "second": points[:, 1], "label": labels})

    @property
    def sample(self) -> pd.DataFrame | None:
        """keep_sample=True: the points that the direction is judged by, with what is decided at each as `label`.

        `margin` is by how much the answers favour the row's decision; missing where labels are fitted.
        """
        sample = self._numbers.inspection.explanation.sample
        if sample is None:
            return None
        labels = [self._numbers.classes[int(code)] for code in sample.label]
        margin = np.full(len(labels), np.nan) if sample.margin is None else sample.margin
        return self._points(list(sample.points)).assign(label=labels, margin=margin)

    @property
    def vertices(self) -> pd.DataFrame | None:
        """keep_sample=True: the vertices of the hull around the point bisected to, before they are held to bounds."""
        sample = self._numbers.inspection.explanation.sample
        if sample is None:
            return None
        steps = np.concatenate([radius * sign * sample.steps for radius in sample.radii for sign in (1, -1)])
        return self._points(list(self._numbers.inspection.detection.point[0] + steps))

    @property
    def coefficients(self) -> pd.Series | None:
        """keep_sample=True: the coefficients of the plane as fitted, by feature in units of the distance.

        The direction is these at length 1. None where it was not fitted, but is the way to the point or between two.
        """
        sample = self._numbers.inspection.explanation.sample
        if sample is None or sample.coefficients is None:
            return None
        return pd.Series(sample.coefficients, self._names, name="coefficient")

    @property
    def vertex_coefficients(self) -> pd.Series | None:
        """keep_sample=True and vertices of your own: the coefficient of each of their rows, at length 1.

        Missing for a row of which nothing can move.
        """
        sample = self._numbers.inspection.explanation.sample
        if sample is None or sample.by_axis is None:
            return None
        return pd.Series(sample.by_axis, name="coefficient")

    def chart(
        self,
        kind: Literal["changes", "path", "image", "projection"] = "changes",
        *,
        n_features: int = 12,
        shape: tuple[int, ...] | None = None,
    ) -> alt.LayerChart | alt.HConcatChart:
        """Draw the changes that matter most, the answer along the direction, images, or the sample on two components.

        Parameters
        ----------
        kind : {"changes", "path", "image", "projection"}, default "changes"
            "image": the row, the point, the rival and the direction, where the features are pixels. "projection": the
            sample on the components of partial least squares, by what is decided.
        n_features : int, default 12
            Most bars.
        shape : tuple of int, optional
            kind="image", which needs it: (height, width) or (height, width, channels), which the features are in C
            order. Three channels are red, green and blue; of another number the mean is drawn.

        Raises
        ------
        InputError
            For another kind, no bars, or a shape that is missing, out of place or does not account for every feature.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self, kind=kind, n_features=n_features, shape=shape)

    def widget(
        self, *, shape: tuple[int, ...] | None = None, text: str | Sequence[str] | None = None, **traits: Any
    ) -> show.BoundaryView:
        """Make the widget: the row, the point and the rival side by side, the path to walk, features to lock or edit.

        Parameters
        ----------
        shape : tuple of int, optional
            As in `chart`: adds pictures, of which that of the point follows the walk.
        text : str or sequence of str, optional
            The row's text, or one for each row of the study, where the features are words: its words are coloured by
            their weight in the direction, and those it has not are listed.
        **traits
            First values of its traits; see `BoundaryView`.

        Returns
        -------
        BoundaryView

        Raises
        ------
        InputError
            For a shape that does not account for every feature, or a text that is none.
        """
        return show.view(self, shape=shape, text=text, **traits)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: what was found, how, the changes, the path and the diagnostics."""
        return {
            "schema": "tauscope.boundary",
            "version": 1,
            "title": self.title,
            "model": self.model_name,
            "row": self.row,
            "predicted": self.predicted,
            "reached": self.reached,
            "status": self.status,
            "message": self.message,
            "distance": self.distance,
            "distance_bisected": self.distance_bisected,
            "distance_lower": self.distance_lower,
            "certificate": self.certificate,
            "metric": self._numbers.space.metric,
            "rival_row": self.rival_row,
            "reliability": self.reliability,
            "reasons": list(self.reasons),
            "diagnostics": {str(name): float(value) for name, value in self.diagnostics.items()},
            "n_model_rows": self.n_model_rows,
            "random_state": self.random_state,
            "notes": list(self.notes),
            "records": records(self.frame),
            "regions": records(self.regions_frame),
            "diverse": records(self.diverse_frame),
            "path": records(self.path),
        }

    def __repr__(self) -> str:
        return boundary_summary(self)

    @property
    def _names(self) -> list[str]:
        return list(self.feature_names)

    def _class_name(self, code: int) -> str | None:
        return self._numbers.classes[code] if code >= 0 else None

    def _points(self, points: list[Floats]) -> pd.DataFrame:
        stacked = np.array(points).reshape(-1, len(self.feature_names))
        return points_table(self._numbers, stacked, range(len(stacked)))

    def _series(self, values: Floats) -> pd.Series:
        found = not np.isnan(values).all()
        named = [column.value(v) if found else None for column, v in zip(self._numbers.columns, values, strict=True)]
        return pd.Series(named, self._names)
