"""What becomes of a row's rules when the population is another: before and after, and which still hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted
from tauscope.results.formatting import share
from tauscope.results.rules.text import BOXES_STAY, condition_words, under_sentence
from tauscope.rules.sufficient import ROUNDING
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rules import Rules
    from tauscope.weights.arrays import Floats


@dataclass(frozen=True, repr=False, eq=False)
class RulesUnder(Charted):
    """Rules as they were grown, and the same boxes with rows counted by other weights.

    Made by `Rules.under`.

    Attributes
    ----------
    before : Rules
    after : tuple of Rule
        The same conditions; probabilities, coverage and precision under the stress. The proof is of the model, and
        stays.
    weight : ndarray of shape (n_rows,)
        Of the study's rows, under the stress.

    Examples
    --------
    >>> forest_study.rules(0).under(ts.Mean("mean radius", tau=0.2)).frame.shape
    (1, 12)
    """

    before: Rules
    after: tuple[Rule, ...]
    weight: Floats

    @property
    def holds(self) -> tuple[bool, ...]:
        """Of each rule whether its least probability, at a row of its box that has weight, still reaches π."""
        return tuple(rule.sdp_min >= self.before._spec.pi - ROUNDING for rule in self.after)

    @property
    def ess(self) -> float:
        """Effective sample size of the weights, in rows."""
        return effective_size(self.weight)

    @property
    def title(self) -> str:
        """Name the rules and say that they are under a stress."""
        return f"{self.before.title}, under a stress"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        size = under_sentence(self.ess, len(self.weight))
        return (BOXES_STAY, size, *self.before.notes)

    @property
    def frame(self) -> pd.DataFrame:
        """One line per rule: rule, holds; sdp, sdp_min, coverage, precision, each with _before; lower, upper."""
        pairs = zip(self.before, self.after, self.holds, strict=True)
        return pd.DataFrame(
            [
                {
                    "rule": condition_words(old),
                    "holds": holds,
                    "sdp_before": old.sdp,
                    "sdp": new.sdp,
                    "sdp_min_before": old.sdp_min,
                    "sdp_min": new.sdp_min,
                    "coverage_before": old.coverage,
                    "coverage": new.coverage,
                    "precision_before": old.precision,
                    "precision": new.precision,
                    "precision_lower": (new.held_out or new.training).lower,
                    "precision_upper": (new.held_out or new.training).upper,
                }
                for old, new, holds in pairs
            ],
            columns=COLUMNS,
        )

    def chart(self) -> alt.LayerChart:
        """Draw what each rule is before and under the stress: probability, its least, coverage and precision.

        Returns
        -------
        altair.LayerChart
        """
        return show.draw(self)

    def __repr__(self) -> str:
        lines = [
            f"If {line['rule'] or 'anything'}: probability {share(line['sdp_before'])} → {share(line['sdp'])}, least "
            f"in the box {share(line['sdp_min_before'])} → {share(line['sdp_min'])}, coverage "
            f"{share(line['coverage_before'])} → {share(line['coverage'])}, precision "
            f"{share(line['precision_before'])} → {share(line['precision'])}. "
            f"{'Still holds.' if line['holds'] else f'No longer holds at π = {share(self.before._spec.pi)}.'}"
            for line in self.frame.to_dict("records")
        ] or [self.before.explanation.message]
        return "\n".join([self.title, *lines, *self.notes])


COLUMNS = [
    "rule", "holds", "sdp_before", "sdp", "sdp_min_before", "sdp_min", "coverage_before", "coverage",
    "precision_before", "precision", "precision_lower", "precision_upper",
]  # fmt: skip
