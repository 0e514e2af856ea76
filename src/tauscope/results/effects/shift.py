"""An effect before and after a stress, with every bound at exactly the distance of its weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.effects import CurveShift, curve_shift
from tauscope.errors import InputError
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import tidy
from tauscope.results.effects.bounds import check_boundable
from tauscope.results.effects.text import difference, extent
from tauscope.results.formatting import number
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.effect import FeatureEffect
    from tauscope.stress.joint.constraints import Constraint, Stress


@dataclass(frozen=True, repr=False, eq=False)
class EffectShift(Charted):
    """What a stress did to an effect, and what any stress this far could have done.

    Made by `FeatureEffect.under`.

    Attributes
    ----------
    before : FeatureEffect
    observed : tauscope.effects.CurveShift
        The engine's comparison.
    population : str
        Which population this is.

    Examples
    --------
    >>> effect = study.effect("mean radius", grid=5)
    >>> effect.under(ts.Mean("mean texture", tau=0.3)).frame.shape
    (5, 10)
    """

    before: FeatureEffect
    observed: CurveShift
    population: str

    @property
    def title(self) -> str:
        """Name the effect that was moved."""
        return self.before.title

    @property
    def _caption(self) -> str:
        """The model, and how many rows and points."""
        return extent(self.before)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why the effect under the stress may be unreliable, and what the bounds rest on."""
        return (*self.after.caveats, *self.observed.bounds.notes)

    @cached_property
    def after(self) -> FeatureEffect:
        """The effect under the stress: the numbers of `study.under(stress).effect(…)`."""
        return self.before._with_effect(self.observed.after)

    @property
    def tv(self) -> float:
        """Total variation between the two sets of weights, exactly; in [0, 1]."""
        return self.observed.tv

    @property
    def kl(self) -> float:
        """Kullback-Leibler divergence of the new from the old weights, nats."""
        return self.observed.kl

    @property
    def ess(self) -> float:
        """Effective sample size under the stress, rows."""
        return self.observed.ess

    @property
    def inside(self) -> bool:
        """Whether the moved curve lies in the certified band, as it must."""
        return self.observed.inside

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point, before and after, and the bounds at the distance moved.

        Columns: value, effect (before), moved (after), change (of an accumulated effect without its centring), lower
        and upper (interval of `moved`, the stress's weights taken as known: how they would vary with the rows is no
        part of it), certified_lower, certified_upper, paper_lower, paper_upper.
        """
        bounds, after = self.observed.bounds, self.observed.after
        nothing = np.full(after.effect.shape, np.nan)
        columns: dict[str, NDArray[np.generic]] = {
            "effect": self.before._computed.effect,
            "moved": after.effect,
            "change": self.observed.change,
            "lower": after.lower,
            "upper": after.upper,
            "certified_lower": bounds.certified.lower,
            "certified_upper": bounds.certified.upper,
            "paper_lower": nothing if bounds.paper is None else bounds.paper.lower,
            "paper_upper": nothing if bounds.paper is None else bounds.paper.upper,
        }
        return tidy(self.before._axes, self.before._classes, columns)

    @property
    def sentence(self) -> str:
        """The finding for a person, against what any stress this far could have done."""
        certified, curve = self.observed.bounds.certified, self.before._computed.effect
        most = float(np.nanmax(np.abs(self.observed.change)))
        possible = float(np.nanmax(np.maximum(certified.upper - curve, curve - certified.lower)))
        return (
            f"the effect moved by {difference(self.before, most)} at most; a reweighting this far "
            f"(total variation {number(self.tv)}) could have moved it by {difference(self.before, possible)}"
        )

    def chart(self) -> alt.LayerChart | alt.HConcatChart:
        """Draw the effect before and after, in the certified band of this distance, the paper's as an outline.

        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: the effect, the distance it moved, and both curves with their bounds."""
        names = ("tv", "kl", "ess", "population", "inside", "sentence")
        measured = {name: getattr(self, name) for name in names}
        return self.before._described("effect_under_stress") | measured | {"records": records(self.frame)}

    def __repr__(self) -> str:
        lines = [f"{self.title}, under stress: {self.population}", f"  {self.sentence}"]
        lines.append(f"  KL {number(self.kl)} nats, effective sample {self.ess:,.0f} of {self.before.n_rows:,}")
        return "\n".join([*lines, *(f"  {word}" for word in self.notes)])


def shift(effect: FeatureEffect, stress: Constraint | Stress | Scenario | Reweighting, quantile: float) -> EffectShift:
    """Compute an effect under a stress; see `FeatureEffect.under`."""
    effect._check_rows_kept("a stress")
    if effect._moved:
        raise InputError(
            "This effect is under a stress already, and a second would start from other weights. "
            "Use study.under(first).effect(…).under(second), or join the two stresses with &."
        )
    check_boundable(effect)
    is_solved = isinstance(stress, Reweighting)
    solved: Reweighting = stress if is_solved else effect._require_source().reweight(stress, quantile=quantile)
    solved._check_usable(effect.n_rows)
    weights = solved._row_weights("an effect under it")
    return EffectShift(effect, curve_shift(effect._computed, weights), solved.population, source=effect.source)
