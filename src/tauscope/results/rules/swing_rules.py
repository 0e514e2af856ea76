"""Swing rules of a row: the nearest boxes in which the decision is another one, and what has to move to get there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import ChartedParts
from tauscope.results.formatting import number
from tauscope.results.rules.text import condition_words, proof_sentence, share_sentence

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.columns import Condition
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.results.rules.sufficient import SufficientExplanation


@dataclass(frozen=True, eq=False)
class Move:
    """One feature of a row, and how far a swing rule's condition on it is.

    Attributes
    ----------
    condition : Condition
        Of the swing rule.
    entry : float
        The row's own value, as the forest holds it.
    gap : float
        Least change that meets the condition, in the feature's unit; 0 where it is met, NaN of levels and of missing
        values where it is not.
    distance : float
        The same in standard deviations of the forest's rows; 1 for another level, or for a value missing or not.
    """

    condition: Condition
    entry: float
    gap: float
    distance: float

    @property
    def needed(self) -> bool:
        """Whether the row does not meet the condition as it is."""
        return self.distance > 0

    @property
    def words(self) -> str:
        """Say the change: "hours-per-week by 6 (0.5 standard deviations)", "job to another level"."""
        name = self.condition.column.name
        if not np.isnan(self.gap):
            return f"{name} by {number(self.gap)} ({number(self.distance)} standard deviations)"
        return f"{name} to another level" if self.condition.column.kind == "levels" else f"{name} missing or not"


@dataclass(frozen=True, eq=False)
class SwingRule:
    """Values under which a row's decision would be another.

    Attributes
    ----------
    rule : Rule
        Around the nearest row that is decided otherwise as surely as asked for.
    moves : tuple of Move
        One for each of its conditions.
    """

    rule: Rule
    moves: tuple[Move, ...]

    @property
    def moved(self) -> tuple[str, ...]:
        """Names of the features that have to move."""
        return tuple(move.condition.column.name for move in self.moves if move.needed)

    @property
    def distance(self) -> float:
        """From the row to the rule's box: root of the sum of the moves' squares, each in standard deviations."""
        return float(np.sqrt(sum(move.distance**2 for move in self.moves)))

    def __str__(self) -> str:
        needed = [f"{m.condition} instead of {m.condition.column.label(m.entry)}" for m in self.moves if m.needed]
        stays = [str(move.condition) for move in self.moves if not move.needed and not move.condition.open]
        still = f", and still {' and '.join(stays)}" if stays else ""
        changes = ", ".join(move.words for move in self.moves if move.needed)
        return (
            f"If {' and '.join(needed)}{still}: {self.rule.answer}. Least change: {changes}. "
            f"{share_sentence(self.rule)} {proof_sentence(self.rule.proof)}"
        )

    def __repr__(self) -> str:
        return f"SwingRule({str(self)!r})"


@dataclass(frozen=True, repr=False, eq=False)
class SwingRules(ChartedParts[SwingRule]):
    """The nearest boxes in which a row's decision is another; a sequence of `SwingRule`, the nearest first.

    Made by `Study.swing_rules`.

    Attributes
    ----------
    explanation : SufficientExplanation
        The sufficient sets in whose features the row moves.
    swings : tuple of SwingRule
        Empty where no set reaches π, or no row is decided otherwise as surely.

    Examples
    --------
    >>> forest_study.swing_rules(0).frame.shape
    (1, 16)
    """

    _spec: RulesSpec
    explanation: SufficientExplanation
    swings: tuple[SwingRule, ...]

    @property
    def title(self) -> str:
        """Name the rules: "Swing rules of row 17"."""
        row = self.explanation.row
        return "Swing rules of the row given" if row is None else f"Swing rules of row {row}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        return self.explanation.notes

    @property
    def frame(self) -> pd.DataFrame:
        """One line per swing rule and feature.

        Columns: rule, conditions, answer, distance, feature, condition, value, moves, gap, sdp, sdp_min, coverage,
        precision, precision_lower, precision_upper, proof.
        """
        lines = [
            {
                "rule": place,
                "conditions": condition_words(swing.rule),
                "answer": swing.rule.answer,
                "distance": swing.distance,
                "feature": move.condition.column.name,
                "condition": str(move.condition),
                "value": move.condition.column.value(move.entry),
                "moves": move.needed,
                "gap": move.gap,
                "sdp": swing.rule.sdp,
                "sdp_min": swing.rule.sdp_min,
                "coverage": swing.rule.coverage,
                "precision": swing.rule.precision,
                "precision_lower": (swing.rule.held_out or swing.rule.training).lower,
                "precision_upper": (swing.rule.held_out or swing.rule.training).upper,
                "proof": swing.rule.proof.status,
            }
            for place, swing in enumerate(self.swings)
            for move in swing.moves
        ]
        return pd.DataFrame(lines, columns=COLUMNS)

    def chart(self) -> alt.LayerChart:
        """Draw how far each feature has to move for each rule, the nearest rule first.

        Returns
        -------
        altair.LayerChart
        """
        return show.draw(self)

    @property
    def _parts(self) -> tuple[SwingRule, ...]:
        return self.swings

    def __repr__(self) -> str:
        none = [] if self.swings else [f"No row is decided otherwise as surely. {self.explanation.message}"]
        return "\n".join([f"{self.title}: {self.explanation.model_name}", *none, *map(str, self.swings), *self.notes])


COLUMNS = [
    "rule", "conditions", "answer", "distance", "feature", "condition", "value", "moves", "gap", "sdp", "sdp_min",
    "coverage", "precision", "precision_lower", "precision_upper", "proof",
]  # fmt: skip
