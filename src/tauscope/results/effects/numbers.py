"""The numbers of a feature effect: the curve, what stands behind each point, the individual curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import Effect, PartialDependence
from tauscope.errors import InputError, UnknownName
from tauscope.results.effects.axis import Axis
from tauscope.results.effects.frame import tidy
from tauscope.results.reliability import caveats
from tauscope.weights.concentration import pareto_khat
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.results.effects.origin import EffectOrigin
    from tauscope.study.study import Study

Callback = Callable[[int, int], object]
Kind = Literal["pd", "cd", "ale", "dale"]


@dataclass(frozen=True, repr=False, eq=False)
class EffectNumbers:
    """What a feature effect holds, and the numbers in it; attributes as in `FeatureEffect`."""

    kind: Kind
    axes: tuple[Axis, ...]
    response: str
    response_kind: Literal["share", "value"]
    classes: tuple[str, ...]
    responses: tuple[str, ...]
    computed: Effect
    method: str
    notes: tuple[str, ...]
    weighted: bool
    model_name: str
    study: Study | None
    _weights_under: Callable[[Any, float], tuple[NDArray[np.float64], str]]
    _another: Callable[[Sequence[str], Kind, Callback], FeatureEffect]
    origin: EffectOrigin | None = None

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the one or two features."""
        return tuple(axis.name for axis in self.axes)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.computed.n_rows

    @property
    def n_model_rows(self) -> int:
        """Rows the model was asked about for this effect."""
        return self.computed.n_model_rows

    @property
    def status(self) -> str:
        """Return "complete", or how far a run that was stopped came."""
        return "complete" if self.computed.status.startswith("complete") else self.computed.status

    @property
    def interval(self) -> str:
        """What the interval is, in words."""
        return self.computed.interval.label

    @property
    def confidence(self) -> float:
        """Level of the interval, in (0, 1)."""
        return self.computed.interval.confidence

    @property
    def random_state(self) -> int | None:
        """Seed of a bootstrap interval; None for the analytic one."""
        return self.computed.seed

    @property
    def ess(self) -> float:
        """Effective sample size (Σw)²/Σw² of the rows' weights, rows."""
        return effective_size(self.computed.sample_weight)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """What speaks against the curve under the weights its rows have; empty when nothing does."""
        if not self.weighted:
            return ()
        return caveats(self.ess, pareto_khat(self.computed.sample_weight))

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point: `value`, `effect`, `lower`, `upper` (interval), `n` (rows behind it).

        Of two features `value_1` and `value_2` stand for `value`; for several classes `class` comes first.
        """
        found = self.computed
        columns = {"effect": found.effect, "lower": found.lower, "upper": found.upper, "n": found.n}
        return tidy(self.axes, self.classes, columns)

    @property
    def ice(self) -> pd.DataFrame:
        """Individual curves of partial dependence: one row per row of the study (and class), one column per point.

        Raises
        ------
        InputError
            For another kind, two features, or where the curves were not kept.
        """
        if not isinstance(self.computed, PartialDependence) or len(self.axes) != 1:
            raise InputError(f"Individual curves are of kind='pd' and one feature; this is {self.kind!r}.")
        curves, rows = self.computed.curves(), pd.Index(self.computed.ice_rows, name="row")
        named = pd.Index(self.axes[0].values, name=self.axes[0].name)
        frames = [pd.DataFrame(curve, index=rows, columns=named) for curve in curves]
        return frames[0] if len(frames) == 1 else pd.concat(frames, keys=self.classes, names=["class"])

    def centred_ice(self, at: object = None) -> pd.DataFrame:
        """Individual curves less each row's own answer at one point, so that they start, or meet, there.

        Parameters
        ----------
        at : number, date or level, optional
            The nearest grid point is taken; by default the first.

        Raises
        ------
        InputError
            As `ice`, and for a point that is none of this feature's.
        """
        curves = self.ice
        return curves.sub(curves.iloc[:, 0 if at is None else self.axes[0].place(at)], axis=0)

    @property
    def heterogeneity(self) -> pd.DataFrame:
        """How far individual curves differ in shape: value, `spread` (standard deviation over rows), `share`.

        Each curve is taken less its own mean over the grid. `share`, the same at each point, is the part of the
        curves' movement that the mean curve does not have: 0 where all are parallel, as in an additive model.

        Raises
        ------
        InputError
            As `ice`.
        """
        from tauscope.effects import heterogeneity

        if not isinstance(self.computed, PartialDependence) or len(self.axes) != 1:
            raise InputError(f"Individual curves are of kind='pd' and one feature; this is {self.kind!r}.")
        found = heterogeneity(self.computed)
        share = np.broadcast_to(found.share[:, None], found.spread.shape)
        return tidy(self.axes, self.classes, {"spread": found.spread, "share": share})

    def output(self, target_class: object = None) -> int:
        """Place of a class among those the effect is given for.

        Raises
        ------
        UnknownName
            For a class that is not there.
        InputError
            Where there are several and none is named.
        """
        if target_class is None:
            if len(self.computed.effect) > 1:
                shown = ", ".join(map(repr, self.classes[:10]))
                raise InputError(f"One class is needed here; the effect is given for {shown}. Name it: target_class=…")
            return 0
        if str(target_class) not in self.classes:
            raise UnknownName.among("class", target_class, self.classes)
        return self.classes.index(str(target_class))
