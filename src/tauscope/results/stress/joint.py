"""Several features moved at once: what each can be moved to, and the answer to any of their combinations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from tauscope.data.features import features_by_name
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Result
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.numbers.joint_answer import JointAnswer, MetricEstimate, answer_joint
from tauscope.results.stress.numbers.joint_moments import (
    JointHold,
    check_joint,
    joint_constraints,
    joint_moments,
    joint_stress_of,
    tau_range,
)
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.results.stress.numbers.natural_units import in_numbers, with_names, written_means
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario, named_taus
from tauscope.stress.confusion import confusion_of
from tauscope.stress.joint.constraints import Constraint, Stress, as_stress
from tauscope.stress.metrics import Metric, Quantities, SummedMetric, define_quantities
from tauscope.stress.outcomes import Outcomes, Task
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.data.features import Feature

SHOWN = 8


@dataclass(frozen=True, repr=False, eq=False)
class JointStress(WithMetrics, Result):
    """Features that can be moved together, and every metric of a study under any of their stresses.

    Made by `Study.joint_stress`. Shown in a notebook it is the widget.

    Attributes
    ----------
    metrics : tuple of SummedMetric
        What is followed.
    unstressed : tuple of MetricEstimate
        Each metric of the population as it is, with the analytic interval at `confidence`.
    confidence : float
        Level of the intervals, in (0, 1).

    Examples
    --------
    >>> joint = study.joint_stress(["mean radius", "mean texture"])
    >>> low, high = joint.reach("mean radius")
    >>> round(low, 2), round(high, 2)
    (-1.0, 1.0)
    """

    _columns: StressColumns
    """What τ means for each feature, and which are held when others shall stay."""

    metrics: tuple[SummedMetric, ...]
    unstressed: tuple[MetricEstimate, ...]
    confidence: float

    @property
    def title(self) -> str:
        """Which model: "Joint stress of LogisticRegression"."""
        return f"Joint stress of {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}, {count(len(self.features), 'feature')}, {count(self.n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said about the features' τ, each sentence with its feature; empty when nothing."""
        named = zip(self.feature_names, self._columns.notes, strict=True)
        return tuple(f"{name}: {word}" for name, note in named for word in (*note.far, note.low, note.high) if word)

    @property
    def _outcomes(self) -> Outcomes:
        """Predictions and truth."""
        return self._require_source()._outcomes

    @cached_property
    def _quantities(self) -> Quantities:
        return define_quantities(self._outcomes, names=self.metric_names)[0]

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self.metrics

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features, in the order of their sliders."""
        return self._columns.features

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        return self._columns.names

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """Features left out, with the reason."""
        return self._columns.skipped

    @property
    def quantile(self) -> float:
        """τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles, unless a note says otherwise."""
        return self._columns.quantile

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._columns.n_rows

    @property
    def model_name(self) -> str:
        """Name of the model; "predictions" where there is none."""
        return self._require_source()._model_name

    @property
    def task(self) -> Task:
        """One of "binary", "multiclass", "regression"."""
        return self._outcomes.task

    @property
    def frame(self) -> pd.DataFrame:
        """What can be moved, one row per feature.

        Columns: feature; low, mean, high (the means at τ = -1, 0 and 1, in the feature's unit); sd; n_missing; held
        (whether its mean stays where others' shall); note (what is unusual about its τ, "" when nothing).
        """
        columns = self._columns
        return pd.DataFrame(
            {
                "feature": list(columns.names),
                "low": columns.low,
                "mean": columns.mean,
                "high": columns.high,
                "sd": columns.sd,
                "n_missing": columns.n_missing,
                "held": [name in columns.held for name in columns.names],
                "note": [
                    "; ".join(words for words in (*notes.far, notes.low, notes.high) if words)
                    for notes in columns.notes
                ],
            }
        )

    def at(self, taus: Mapping[str, float] | Constraint | Stress | Scenario, hold: JointHold = "none") -> Reweighting:
        """Reweight the rows so that several features move at once.

        Parameters
        ----------
        taus : mapping of str to float, Constraint, Stress or Scenario
            τ in [-1, 1] by feature name, as in `Study.stress_curves`; 0 holds the mean. At least one feature. Or means
            and shares in their own units: ``ts.Mean("age", target=43.8) & ts.Mean("hours-per-week", shift=-2)``.
            A scenario says itself what stays.
        hold : {"none", "means", "uncorrelated"}
            What stays. "none": nothing in particular, the weights change as little as possible. "means": the means of
            the other features, those of a moved feature's own column and of rare levels excepted (`frame.held`).
            "uncorrelated": these features' means stay, and their covariances with every moved feature become 0.

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
        if isinstance(taus, Scenario):
            hold, taus = _hold_of(taus, hold), taus.taus
        if isinstance(taus, Constraint | Stress):
            study = self._require_source()
            asked = in_numbers(with_names(as_stress(taus), study), features_by_name(study._columns))
            stress = joint_stress_of(self._columns, asked, hold)
        else:
            check_joint(taus, hold)
            taus = named_taus(taus, self._require_source().feature_names)
            stress = joint_constraints(self._columns, taus, hold)
            assert stress is not None  # a stress that moves nothing was refused
        return self._require_source().reweight(
            stress, quantile=self.quantile, confidence=self.confidence, metrics=self.metric_names
        )

    def _answer(self, taus: Mapping[str, float], hold: JointHold = "none") -> JointAnswer:
        """Answer a stress with what the widget shows of it, and without the tables of `at`; parameters as there.

        Returns
        -------
        JointAnswer

        Raises
        ------
        InfeasibleTarget, DependentConstraints, UnknownName, InputError, InputTypeError
            As in `at`.
        """
        confusion = confusion_of(self._outcomes, self._quantities.cells)
        return answer_joint(
            joint_moments(self._columns, taus, hold),
            self._quantities,
            self.metrics,
            confidence=self.confidence,
            sample_weight=self._columns.sample_weight,
            places=() if confusion is None else confusion.metrics(),
        )

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
        return tau_range(self._columns, feature, {} if taus is None else taus, hold)

    def widget(self, **traits: Any) -> show.JointStressView:
        """Make the widget: a slider per feature, all of which can be moved at once.

        Parameters
        ----------
        **traits
            First values of `stress` and `metric`; see `JointStressView`.

        Returns
        -------
        JointStressView
        """
        return show.view(self, **traits)

    def save(self, path: str | Path, stress: Mapping[str, Any] | None = None, **options: Any) -> None:
        """Write to a file; see `Result.save`.

        Parameters
        ----------
        path : str or Path
            .html or .csv.
        stress : mapping, optional
            What the page opens on, {"taus": {feature: τ}, "hold": …}; unstressed by default.
        **options
            Other first values of the widget's traits.
        """
        super().save(path, **({} if stress is None else {"stress": stress}), **options)

    def __repr__(self) -> str:
        columns = self._columns
        lines = [f"{self.title}: {count(len(columns.features), 'feature')}, {count(self.n_rows, 'row')}."]
        for k in range(min(len(columns.features), SHOWN)):
            ends = (float(values[k]) for values in (columns.low, columns.mean, columns.high))
            low, mean, high = written_means(columns.features[k].reading, *ends)
            lines.append(f"  {columns.names[k]}: {mean}, from {low} at τ = −1 to {high} at τ = 1")
        if len(columns.features) > SHOWN:
            lines.append(f"  and {len(columns.features) - SHOWN:,} more")
        lines.append(f"  .at({{{columns.names[0]!r}: 0.5, …}}) answers with weights; .widget() moves them in the page.")
        return "\n".join(lines)


def _hold_of(scenario: Scenario, hold: JointHold) -> JointHold:
    if hold not in ("none", scenario.hold):
        raise InputError(
            f"The scenario {scenario.name!r} says hold={scenario.hold!r} itself; got hold={hold!r}. Leave hold out, or "
            "give scenario.taus."
        )
    return scenario.hold
