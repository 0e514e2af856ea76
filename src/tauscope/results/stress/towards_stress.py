"""The way to another population as a stress that views share: τ by feature, as far as sliders can say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from tauscope.results.formatting import number
from tauscope.results.stress.columns import StressColumns
from tauscope.results.stress.scenario import StressState

if TYPE_CHECKING:
    from tauscope.results.stress.towards import TargetPopulation

STILL = 1e-12
"""|τ| that moves nothing."""
HAIR = 1e-9
"""What rounding may carry a τ past 1."""


class SliderStress(NamedTuple):
    """The whole way in τ.

    Attributes
    ----------
    taus : mapping of str to float
        By feature, what all of the way is; part of it is so much of each. Empty where it cannot be said.
    reason : str
        Why it cannot be said in τ; "" where it can.
    """

    taus: Mapping[str, float]
    reason: str

    def at(self, amount: float) -> StressState:
        """Return the stress of a part of the way; one that can be said."""
        return {"taus": {name: amount * tau for name, tau in self.taus.items()} if amount else {}, "hold": "none"}


OF_CHUNKS = SliderStress({}, "sliders weight all rows anew at each move, and these came in chunks")


def slider_stress(there: TargetPopulation, columns: StressColumns) -> SliderStress:
    """Say all of the way to another population in τ, if sliders can.

    Parameters
    ----------
    there : TargetPopulation
        All of the way.
    columns : StressColumns
        The sliders of its study.

    Returns
    -------
    SliderStress

    Notes
    -----
    τ stands for the mean m + |τ| (q - m), q being the one at the end of its side; so the mean m + a (t - m) of an
    amount a is aτ, where τ is that of t. The weights under it are those of the amount, since the same rows are tilted
    to the same means, unless a margin is of a second moment, is met at a price, or stays, which sliders let go of.
    """
    margins = there.margins
    odd = [margin.name for margin in there.target.margins.which if margin.kind not in ("mean", "share")]
    if odd:
        return _none(f"the {odd[0]} is a margin, and sliders move means and shares alone")
    if there.price is not None or there.status == "unconverged":
        return _none("not every margin is met, and sliders meet theirs")
    names = [margin.features[0] for margin in there.target.margins.which]
    # what follows from the others is left out: asked for twice, it would be refused
    wanted = {
        name: float(mean)
        for name, mean, status in zip(names, margins["there"], margins["status"], strict=True)
        if status != "follows"
    }
    away = [name for name in wanted if name not in columns.names]
    if away:
        return _none(f"no slider moves {away[0]}")
    shares = [columns.features[columns.place(name)] for name in names if name in columns.names]
    with_gaps = {feature.column for feature in shares if feature.kind == "share" and feature.code == -1}
    taus: dict[str, float] = {}
    for name, mean in wanted.items():
        k = columns.place(name)
        feature = columns.features[k]
        what = f"{'mean' if feature.kind == 'numeric' else 'share'} of {name}"
        end = columns.low[k] if mean < columns.mean[k] else columns.high[k]
        size = float((mean - columns.mean[k]) / (end - columns.mean[k]))
        if size > 1 + HAIR:
            return _none(f"the {what} is {number(mean)} there, and its slider ends at {number(float(end))}")
        if size <= STILL:
            return _none(f"the {what} is asked to stay, and sliders let go of what they do not move")
        if columns.n_missing[k] and feature.kind == "numeric" and feature.column not in with_gaps:
            return _none(f"a slider of {name} keeps the share of rows without a value, which is no margin here")
        taus[name] = min(size, 1.0) if mean > columns.mean[k] else -min(size, 1.0)
    return SliderStress(taus, "") if taus else _none("no margin is moved")


def _none(reason: str) -> SliderStress:
    return SliderStress({}, reason)
