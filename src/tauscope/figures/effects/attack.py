"""A curve before and after its rows were perturbed, as an Altair chart."""

import altair as alt

from tauscope.figures import theme
from tauscope.figures.effects.pair import Pair, pair_chart
from tauscope.figures.effects.scales import header
from tauscope.results.effects.attack import METHODS, EffectAttack
from tauscope.results.effects.text import extent, paragraph


def draw(result: EffectAttack) -> alt.LayerChart:
    """Draw the curve before and after; see `EffectAttack.chart`."""
    effect, bound = result.before, result.coupling.bound
    before = effect._computed.effect
    words = (
        f"{METHODS[result.method].capitalize()}: {extent(effect)}.",
        *paragraph(f"{result.sentence[:1].upper()}{result.sentence[1:]}."),
        "Filled: certified for this change of the rows. Dashed: the paper's bound, estimated.",
    )
    pair = Pair(
        before,
        result.after.effect,
        (before - bound, before + bound),
        (before - result.estimated, before + result.estimated),
        marked=result._place,
    )
    return pair_chart(effect, pair, header(effect, *words), color=theme.ACCENT)
