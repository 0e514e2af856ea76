"""The same effect of two models, as an Altair chart."""

from typing import Any

import altair as alt

from tauscope.effects import AccumulatedEffect
from tauscope.figures import theme
from tauscope.figures.effects.pair import Pair, pair_chart
from tauscope.figures.effects.scales import header
from tauscope.figures.effects.surface import heat_maps
from tauscope.results.effects.comparison import EffectComparison
from tauscope.results.effects.text import extent, paragraph

NAMES = {"rows": "sup over the rows", "box": "sup over a sampled box", "given": "the distance given"}


def draw(result: EffectComparison) -> alt.LayerChart | alt.HConcatChart:
    """Draw both curves; see `EffectComparison.chart`."""
    effect, other, change = result.effect, result.other, result._computed
    words = (
        f"{extent(effect)}.",
        *paragraph(f"Dotted: {effect.model_name}; solid: {other.model_name}."),
        *paragraph(f"{result.sentence[:1].upper()}{result.sentence[1:]}."),
        "Filled: certified for these rows, by their answers one by one.",
        f"Dashed: the paper's bound, {NAMES[result.distance_source]}.",
    )
    if len(effect._axes) == 2:
        return heat_maps(effect, change.change, "change", words, "change")
    before: Any = effect._computed.effect
    after: Any = other._computed.effect
    if isinstance(effect._computed, AccumulatedEffect) and isinstance(other._computed, AccumulatedEffect):
        before, after = effect._computed.accumulated, other._computed.accumulated
    pair = Pair(
        before,
        after,
        (before - change.coupled, before + change.coupled),
        (before - change.bound, before + change.bound),
    )
    return pair_chart(effect, pair, header(effect, *words), color=theme.ACCENT)
