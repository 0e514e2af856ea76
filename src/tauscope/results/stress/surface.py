"""What a metric does when two features are moved at once: a surface over both their τ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.formatting import number, share
from tauscope.results.reliability import UNRELIABLE, WIDE, judge_carriers, level_names, levels, sentences
from tauscope.results.stress.notes import FeatureNotes, feature_notes
from tauscope.results.stress.numbers.frame import join_notes
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.stress.curves import Curves
from tauscope.stress.metrics import Metric
from tauscope.stress.outcomes import Task
from tauscope.stress.pair.surface import Surface
from tauscope.stress.reliability import LEVELS
from tauscope.weights.carriers import Carriers
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.data.features import Feature

COLUMNS = (
    "tau_1", "tau_2", "target_1", "target_2", "metric", "value", "lower", "upper", "reliability", "ess", "pareto_k",
    "kl", "tv", "status", "note",
)  # fmt: skip
BEYOND = "these rows cannot be weighted so that both means are met"
UNMET = "the means could not be met; the numbers are left out"


@dataclass(frozen=True, repr=False, eq=False)
class StressSurface(WithMetrics, Charted):
    """Every metric of a study over the means of two features.

    Made by `Study.stress_surface`. Both means are held at every cell, also at τ = 0, where a feature's mean stays
    what it is.

    Attributes
    ----------
    features : pair of Feature
    quantile : float
        τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
    model_name : str
    task : {"binary", "multiclass", "regression"}

    Examples
    --------
    >>> study.stress_surface("mean radius", "mean texture", taus=3).feature_names
    ('mean radius', 'mean texture')
    """

    features: tuple[Feature, Feature]
    _surface: Surface
    """The engine's arrays, shape (n_metrics, n_taus, n_taus) and (n_taus, n_taus); first the first feature's τ."""

    quantile: float
    confidence: float
    n_rows: int
    model_name: str
    task: Task
    _sample_weight: NDArray[np.float64] | None = None
    """Mean 1."""

    @property
    def feature_names(self) -> tuple[str, str]:
        """Names of the two features."""
        return self.features[0].name, self.features[1].name

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self._surface.metrics

    @property
    def taus(self) -> NDArray[np.float64]:
        """The grid of both features, ascending, with 0 in it."""
        return self._surface.taus

    @property
    def title(self) -> str:
        """Which model and which features: "Stress surface of LogisticRegression: age and hours"."""
        return f"Stress surface of {self.model_name}: {' and '.join(self.feature_names)}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        n = len(self.taus)
        return f"{self.title}, {count(self.n_rows, 'row')}, {n} × {n} τ"

    @property
    def reliability(self) -> NDArray[np.object_]:
        """Return "reliable", "wide" or "unreliable", of shape (n_metrics, n_taus, n_taus); the frame says why."""
        return level_names(self._surface.reason)

    @property
    def _reached(self) -> NDArray[np.bool_]:
        return ~np.isin(self._surface.status, ("infeasible", "unconverged"))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per pair of τ and metric, fresh for the caller to change.

        Columns: tau_1, tau_2; target_1, target_2 (means of the two features, their own units); metric, value, lower,
        upper (interval at `confidence`), reliability ("reliable"; "wide": read the interval, not the number;
        "unreliable"), ess (effective rows), pareto_k, kl (nats), tv (in [0, 1]), status ("solved", "limit",
        "infeasible", "unconverged"), note (with the reason, "" when there is nothing to say). Numbers are missing where
        no weights meet both means; status and note say so.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        surface, n, n_metrics = self._surface, len(self.taus), len(self._surface.metrics)

        def per_cell(values: NDArray[Any]) -> NDArray[Any]:
            return np.repeat(values.ravel(), n_metrics)

        def answers(values: NDArray[Any]) -> NDArray[Any]:
            return values.reshape(n_metrics, -1).T.ravel()

        reason = np.where(self._reached, surface.reason, np.int8(0))
        first, second = np.meshgrid(self.taus, self.taus, indexing="ij")
        targets = [np.repeat(surface.target[0], n), np.tile(surface.target[1], n)]
        data: dict[str, Any] = {
            "tau_1": per_cell(first),
            "tau_2": per_cell(second),
            "target_1": per_cell(targets[0]),
            "target_2": per_cell(targets[1]),
            "metric": np.tile(np.array(self.metric_names, dtype=object), n * n),
            "value": answers(surface.value),
            "lower": answers(surface.lower),
            "upper": answers(surface.upper),
            "reliability": answers(self.reliability),
            "ess": per_cell(surface.ess),
            "pareto_k": per_cell(surface.pareto_k),
            "kl": per_cell(surface.kl),
            "tv": per_cell(surface.tv),
            "status": per_cell(surface.status.astype(object)),
            "note": join_notes(
                per_cell(self._cell_notes), answers(sentences(reason, surface.amount, surface.metrics, axis=0))
            ),
        }
        return pd.DataFrame(data, columns=list(COLUMNS))

    @property
    def _cell_notes(self) -> NDArray[np.object_]:
        surface, sides = self._surface, self._side_notes
        out = np.full(surface.status.shape, "", dtype=object)
        for i, j in np.ndindex(*surface.status.shape):
            words = [
                f"{name}: {note.low if self.taus[t] < 0 else note.high}"
                for name, note, t in zip(self.feature_names, sides, (i, j), strict=True)
                if (note.low if self.taus[t] < 0 else note.high if self.taus[t] > 0 else "")
            ]
            status = str(surface.status[i, j])
            if status == "infeasible":
                words = [BEYOND, *words]
            elif status == "unconverged":
                words = [UNMET, *words]
            elif self.taus[i] != 0 or self.taus[j] != 0:
                words += ["only some rows keep weight"] if status == "limit" else []
                carriers = Carriers(int(surface.n_carriers[i, j]), float(surface.carried[i, j]))
                words += filter(None, [judge_carriers(carriers).words])
            out[i, j] = "; ".join(words)
        return out

    @cached_property
    def _side_notes(self) -> tuple[FeatureNotes, FeatureNotes]:
        """Words about each feature alone: what its τ stands for where that is not the plain quantile."""
        curves = self._sections
        first, second = (
            feature_notes(feature, curves, row, self.quantile, self._sample_weight)
            for row, feature in enumerate(self.features)
        )
        return first, second

    @property
    def _sections(self) -> Curves:
        """Both features' curves with the other one's mean held."""
        surface, zero = self._surface, int(self.taus.searchsorted(0.0))

        def cut(values: NDArray[Any]) -> NDArray[Any]:
            return np.stack([values[..., :, zero], values[..., zero, :]])

        return Curves(
            self.taus,
            surface.metrics,
            target=surface.target,
            multiplier=np.stack([surface.multiplier[0][:, zero], surface.multiplier[1][zero, :]]),
            value=cut(surface.value),
            error=cut(surface.error),
            lower=cut(surface.lower),
            upper=cut(surface.upper),
            ess=cut(surface.ess),
            pareto_k=cut(surface.pareto_k),
            kl=cut(surface.kl),
            tv=cut(surface.tv),
            n_carriers=cut(surface.n_carriers),
            carried=cut(surface.carried),
            reached=surface.reached,
            mean=surface.mean,
            n_missing=surface.n_missing,
            reason=cut(surface.reason),
            amount=cut(surface.amount),
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said about the surface, one sentence each; empty when there is nothing unusual."""
        return self._notes

    @cached_property
    def _notes(self) -> tuple[str, ...]:
        surface, n = self._surface, self._surface.status.size
        words: list[str] = []
        for name, note in zip(self.feature_names, self._side_notes, strict=True):
            words += [f"{name}: {word}" for word in (*note.far, note.low, note.high) if word]
        counted: Mapping[str, int] = {
            BEYOND: int((surface.status == "infeasible").sum()),
            UNMET: int((surface.status == "unconverged").sum()),
            "a mean lies as far as the rows go, and only some of them keep weight": int(
                (surface.status == "limit").sum()
            ),
            **{f"{self._leading_metric.label} is {LEVELS[level]}": self._count(level) for level in (UNRELIABLE, WIDE)},
        }
        return (*words, *(f"{what}: {some} of {count(n, 'cell')}" for what, some in counted.items() if some))

    def _count(self, level: int) -> int:
        """Count the cells within reach at which the leading metric has a level."""
        reason = self._surface.reason[self._metric_place(self._leading_metric.name)]
        return int((self._reached & (levels(reason) == level)).sum())

    def chart(self, metric: str | None = None) -> alt.LayerChart:
        """Draw one metric as a heat map over both means, colours running from the unstressed value both ways.

        Parameters
        ----------
        metric : str, optional
            One of `metric_names`; by default the leading one.

        Returns
        -------
        altair.LayerChart
            Data inline; a small circle stands in cells where the metric is unreliable; cells are grey where no
            weights give both means.
        """
        return show.draw(self, metric)

    def widget(self, **traits: Any) -> show.StressSurfaceView:
        """Make the widget: a heat map that moves both features, and whatever is linked to it.

        Parameters
        ----------
        **traits
            First values of `stress` and `metric`; see `StressSurfaceView`.
        """
        return show.view(self, **traits)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.stress_surface",
            "version": 1,
            "model": self.model_name,
            "task": self.task,
            "n_rows": self.n_rows,
            "features": list(self.feature_names),
            "quantile": self.quantile,
            "confidence": self.confidence,
            "computed": self.computed_on.isoformat(),
            "exact": self._surface.exact,
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        n, surface, metric = len(self.taus), self._surface, self._leading_metric
        value = surface.value[self._metric_place(metric.name)]
        write = share if metric.kind == "share" else number
        zero = int(self.taus.searchsorted(0.0))
        lines = [
            f"{self.title}: {count(self.n_rows, 'row')}, {n} × {n} τ, {count(len(surface.metrics), 'metric')}",
            f"  {metric.label}: {write(float(value[zero, zero]))} as tested",
        ]
        for i, j in ((0, 0), (0, -1), (-1, 0), (-1, -1)):
            ends = zip(self.feature_names, surface.target, (i, j), strict=True)
            where = ", ".join(f"{name} {number(float(target[t]))}" for name, target, t in ends)
            corner = float(value[i, j])
            lines.append(f"  {where}: {write(corner) if np.isfinite(corner) else str(surface.status[i, j])}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])
