"""Several features moved at once: what each can be moved to, and the answer to any of their combinations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.results.base import Displayed
from tauscope.results.formatting import number, share
from tauscope.results.stress.columns import StressColumns
from tauscope.stress.joint.projection import Status
from tauscope.stress.metrics import Metric
from tauscope.stress.outcomes import Outcomes, Task

if TYPE_CHECKING:
    from tauscope.data.features import Feature
    from tauscope.results.stress.reweight import Reweighting
    from tauscope.study.base import StudyBase
    from tauscope.views.stress.joint import JointStressView

JointHold = Literal["none", "means", "uncorrelated"]
SHOWN = 8


@dataclass(frozen=True)
class MetricEstimate:
    """One metric with its interval.

    Attributes
    ----------
    value, lower, upper : float
        NaN where there is none.
    """

    value: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class JointAnswer:
    """The answer to one joint stress, as the widget shows it.

    Attributes
    ----------
    weights : ndarray of shape (n_rows,)
        Non-negative, mean 1, the study's own included.
    status : {"solved", "limit", "unconverged"}
    message : str
        The status in words.
    ess, kl, tv, pareto_k : float
        As in `Reweighting`.
    estimates : tuple of MetricEstimate
        One for each metric of the result.
    """

    weights: NDArray[np.float64]
    status: Status
    message: str
    ess: float
    kl: float
    tv: float
    pareto_k: float
    estimates: tuple[MetricEstimate, ...]


@dataclass(frozen=True, repr=False, eq=False)
class JointStress(Displayed):
    """Features that can be moved together, and every metric of a study under any of their stresses.

    Made by `Study.joint_stress`. Shown in a notebook it is the widget.

    Attributes
    ----------
    columns : StressColumns
        What τ means for each feature, and which are held when others shall stay.
    metrics : tuple of Metric
        What is followed.
    unstressed : tuple of MetricEstimate
        Each metric of the population as it is, with the analytic interval at `confidence`.
    outcomes : Outcomes
        Predictions and truth.
    confidence : float
        Level of the intervals, in (0, 1).
    study : Study
        What it was made of.
    computed : datetime.date
        The day, for the pages saved from it.
    """

    columns: StressColumns
    metrics: tuple[Metric, ...]
    unstressed: tuple[MetricEstimate, ...]
    outcomes: Outcomes
    confidence: float
    study: StudyBase
    _reweight: Callable[[Mapping[str, float], JointHold], Reweighting]
    _answer: Callable[[Mapping[str, float], JointHold], JointAnswer]
    _reach: Callable[[str, Mapping[str, float], JointHold], tuple[float, float]]
    computed: date = field(default_factory=date.today)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in the order of their sliders."""
        return self.columns.features

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return self.columns.names

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, in order."""
        return tuple(metric.name for metric in self.metrics)

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Features left out, with the reason."""
        return self.columns.skipped

    @property
    def quantile(self) -> float:
        """τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise."""
        return self.columns.quantile

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.columns.n_rows

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return self.study.model_name

    @property
    def task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self.outcomes.task

    @property
    def frame(self) -> pd.DataFrame:
        """What can be moved, one row per feature.

        Columns: feature; low, mean, high (the means at τ = -1, 0 and 1, in the feature's unit); sd; n_missing; held
        (whether its mean stays where others' shall); note (what is unusual about its τ, "" when nothing).
        """
        columns = self.columns
        return pd.DataFrame(
            {
                "feature": list(columns.names),
                "low": columns.low,
                "mean": columns.mean,
                "high": columns.high,
                "sd": columns.sd,
                "n_missing": columns.n_missing,
                "held": [name in columns.held for name in columns.names],
                "note": ["; ".join(words for words in (notes.low, notes.high) if words) for notes in columns.notes],
            }
        )

    def at(self, taus: Mapping[str, float], hold: JointHold = "none") -> Reweighting:
        """Reweight the rows so that several features move at once.

        Parameters
        ----------
        taus : mapping of str to float
            τ in [-1, 1] by feature name, as in `Study.stress_curves`; 0 holds the mean. At least one feature.
        hold : {"none", "means", "uncorrelated"}
            What stays. "none": all else as close as can be. "means": the means of the other features too, those of
            a moved feature's own column and of rare levels excepted (`frame.held`). "uncorrelated": these features'
            means stay, and their covariances with every moved feature become 0.

        Returns
        -------
        Reweighting
            Weights, what they achieve and cost, and every metric before and under them.

        Raises
        ------
        InfeasibleTarget
            When no weights on these rows do it; the message gives the range the others leave to each.
        DependentConstraints
            When a feature follows from others that are moved or held, and is asked for another value.
        UnknownName
            For a feature that is not among `feature_names`, with the nearest.
        InputError, InputTypeError
            For no feature at all, a τ outside [-1, 1], or another `hold`.
        """
        return self._reweight(taus, hold)

    def reach(
        self, feature: str, taus: Mapping[str, float] | None = None, hold: JointHold = "none"
    ) -> tuple[float, float]:
        """Find how far a feature can be moved while the others are where they are.

        Parameters
        ----------
        feature : str
        taus : mapping of str to float, optional
            τ of the others; an entry of `feature` itself does not count.
        hold : {"none", "means", "uncorrelated"}
            As in `at`.

        Returns
        -------
        low, high : float
            τ in [-1, 1]; the ends may be reached only as limits. NaN where the others exclude each other, whatever
            the feature does, and where it cannot be told: "uncorrelated" for a feature with missing values.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            As `at`.
        """
        return self._reach(feature, {} if taus is None else taus, hold)

    def widget(self, **traits: Any) -> JointStressView:
        """Make the widget: a slider per feature, all of which can be moved at once.

        Parameters
        ----------
        **traits
            First values of `stress` and `metric`; see `JointStressView`.

        Returns
        -------
        JointStressView
        """
        from tauscope.views.stress.joint import JointStressView

        return JointStressView(self, **traits)

    def save(self, path: str | Path, stress: Mapping[str, Any] | None = None) -> None:
        """Write to a file, by its ending.

        Parameters
        ----------
        path : str or Path
            .html, an interactive page that needs no kernel and no network; .csv, the frame.
        stress : mapping, optional
            What the page opens on, {"taus": {feature: τ}, "hold": …}; unstressed by default.

        Raises
        ------
        InputError
            For another ending, or rows that are more than a page can carry.
        """
        from tauscope.sharing.joint_stress import save_joint_stress

        save_joint_stress(self, Path(path), stress)

    def __repr__(self) -> str:
        columns = self.columns
        lines = [f"Joint stress of {self.model_name}: {len(columns.features)} features, {self.n_rows:,} rows."]
        for k in range(min(len(columns.features), SHOWN)):
            write = share if columns.features[k].kind == "share" else number
            low, mean, high = (write(float(values[k])) for values in (columns.low, columns.mean, columns.high))
            lines.append(f"  {columns.names[k]}: {mean}, from {low} at τ = −1 to {high} at τ = 1")
        if len(columns.features) > SHOWN:
            lines.append(f"  and {len(columns.features) - SHOWN:,} more")
        lines.append(f"  .at({{{columns.names[0]!r}: 0.5, …}}) answers with weights; .widget() moves them in the page.")
        return "\n".join(lines)
