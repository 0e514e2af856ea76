"""An effect before and after a stress, as an Altair chart."""

import altair as alt

from tauscope.figures.effects.band import band_chart
from tauscope.figures.effects.surface import heat_maps
from tauscope.results.effects.shift import EffectShift


def draw(result: EffectShift) -> alt.LayerChart | alt.HConcatChart:
    """Draw an effect before (dashed, grey) and after a stress; two features: the change; see `EffectShift.chart`."""
    effect, observed = result.before, result.observed
    words = (f"{result.population}.", f"{result.sentence}.")
    words = tuple(f"{line[:1].upper()}{line[1:]}" for line in words)
    if len(effect._axes) == 2:
        return heat_maps(effect, observed.change, "change under the stress", words, "change")
    paper = "" if observed.bounds.paper is None else ", dashed outline: the paper's bound"
    key = f"Grey: before the stress. Filled: where any reweighting this far can take it{paper}."
    return band_chart(effect, observed.bounds, observed.after.effect, (*words, key))
