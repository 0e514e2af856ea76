"""What becomes of a row's rules under a stress: each number before and after as a dumbbell."""

import math

import altair as alt

from tauscope.figures.rules.dumbbells import Dumbbell, draw_dumbbells
from tauscope.results.formatting import share
from tauscope.results.rules.rules_under import RulesUnder
from tauscope.results.rules.text import condition_words

NUMBERS = {"sdp": "probability", "sdp_min": "least inside", "coverage": "coverage", "precision": "precision"}


def draw(result: RulesUnder) -> alt.LayerChart:
    """Draw the rules; see `RulesUnder.chart`."""
    lines = result.frame.to_dict("records")
    records: list[Dumbbell] = [
        {"label": f"{place + 1}. {words}", "before": _known(line[f"{name}_before"]), "after": _known(line[name])}
        for place, line in enumerate(lines)
        for name, words in NUMBERS.items()
    ]
    pi = result.before._spec.pi
    return draw_dumbbells(records, pi, "share; ring before, dot under the stress", result.title, _sentences(result))


def _sentences(result: RulesUnder) -> list[str]:
    pi = share(result.before._spec.pi)
    said = [
        f"{place + 1}. If {condition_words(rule) or 'anything'}: {rule.answer}; "
        f"{'still holds' if holds else f'no longer holds at π = {pi}'}."
        for place, (rule, holds) in enumerate(zip(result.after, result.holds, strict=True))
    ]
    return [*(said or [result.before.explanation.message]), *result.notes[:2]]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
