"""An effect in its bounds at one distance, as an Altair chart."""

import altair as alt

from tauscope.figures.effects.band import band_chart
from tauscope.figures.effects.surface import heat_maps
from tauscope.results.effects.bounds import EffectBounds
from tauscope.results.effects.text import extent


def draw(result: EffectBounds) -> alt.LayerChart | alt.HConcatChart:
    """Draw an effect in its certified band, the paper's bound as an outline; see `EffectBounds.chart`."""
    effect, bounds = result.effect, result.bounds
    words = (
        f"{extent(effect)}.",
        f"Filled: certified for {bounds.certified.covers}.",
        "" if bounds.paper is None else "Dashed outline: the paper's bound.",
    )
    if len(effect._axes) == 2:
        width = bounds.certified.upper - bounds.certified.lower
        return heat_maps(effect, width, "width of the certified band", words, "width")
    return band_chart(effect, bounds, None, words)
