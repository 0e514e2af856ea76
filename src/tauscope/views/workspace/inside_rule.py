"""The rows inside the rule that the view of rules shows: positions in the study, and the rule in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.rules.text import condition_words
from tauscope.weights.arrays import Ints

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules

NONE = np.empty(0, dtype=np.int64)


def rows_inside(rules: Rules, place: int) -> tuple[str, Ints]:
    """Return a rule in words and the positions of the rows inside, ascending; "" and none where there is no rule.

    Parameters
    ----------
    rules : Rules
    place : int
        Of the rule among them; the last where there are fewer.
    """
    if not len(rules):
        return "", NONE
    place = min(place, len(rules) - 1)
    rule, values = rules[place], rules.rows.values[place]
    inside = np.ones(len(values), dtype=np.bool_)
    for axis, condition in enumerate(rule.conditions):
        inside &= condition.holds(values[:, axis])
    return condition_words(rule) or "any values", np.sort(rules.rows.position[inside])
