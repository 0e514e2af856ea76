"""The effect whose direction a breakdown is about, under the breakdown's words."""

from typing import Any

from tauscope.figures.effects.effect import draw as draw_effect
from tauscope.figures.labels import heading
from tauscope.results.effects.breakdown import EffectBreakdown
from tauscope.results.effects.text import paragraph


def draw(result: EffectBreakdown) -> Any:
    """Draw the effect, titled by what is said of its direction."""
    words = paragraph(f"{result.sentence[:1].upper()}{result.sentence[1:]}.")
    return draw_effect(result.effect, n_ice=0).properties(title=heading(result.title, [*words, *result.notes]))
