"""One sufficient rule: its conditions, how probable the decision is inside, whom it covers, and what is proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tauscope.results.rules.columns import Condition
from tauscope.results.rules.text import rule_sentence
from tauscope.rules.proofs.model_proof import Status


@dataclass(frozen=True, eq=False)
class RuleShare:
    """How many rows a rule holds for, and how many of these are decided as it says.

    Attributes
    ----------
    n_rows, n_inside : int
        Rows counted, and those of them inside.
    coverage : float
        Share of the weight inside.
    precision : float
        Share of the weight inside that is decided so; NaN where no row is inside.
    lower, upper : float
        Clopper and Pearson's interval of the precision at the effective number of rows inside; NaN for the rows the
        rule was made on, where it would promise too much.
    """

    n_rows: int
    n_inside: int
    coverage: float
    precision: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class RuleProof:
    """What is known of the model itself in the box of a rule, all other features free.

    Attributes
    ----------
    status : {"proved", "refuted", "open", "none"}
        The model never answers otherwise; it does at `counterexample`; not settled within the budget; it cannot be
        read.
    counterexample : dict or None
        Feature to value, of a row inside that the model answers otherwise.
    reason : str
        Of "none": why.
    n_drawn, n_differ : int
        Rows drawn inside and asked about where nothing is proved, and those of them answered otherwise.
    """

    status: Status
    counterexample: dict[str, Any] | None = None
    reason: str = ""
    n_drawn: int = 0
    n_differ: int = 0


@dataclass(frozen=True, eq=False)
class Rule:
    """Values within which a decision stays, whatever the other features are.

    Attributes
    ----------
    conditions : tuple of Condition
        One for each feature of the sufficient set.
    answer : str
        "predicted >50K", "predicted 12.1 to 14.5".
    row : int or None
        The study's row it was grown around; None for new values.
    sdp : float
        Same-decision probability at the row.
    sdp_min : float
        The least at a training row inside: at least π.
    training, held_out : RuleShare
        Counted on the rows the forest was fitted on, and on others; the second None where there are none.
    volume : float
        Share of the features' observed ranges inside, the product over features.
    proof : RuleProof
    decided : pair of float
        What it says as numbers: the code of its class, twice, or the ends of its values.

    Examples
    --------
    >>> rule = forest_study.rules(0).rules[0]
    >>> rule.answer, rule.proof.status
    ('predicted 0', 'refuted')
    """

    conditions: tuple[Condition, ...]
    answer: str
    row: int | None
    sdp: float
    sdp_min: float
    training: RuleShare
    held_out: RuleShare | None
    volume: float
    proof: RuleProof
    decided: tuple[float, float]

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features it speaks of."""
        return tuple(condition.column.name for condition in self.conditions)

    @property
    def bounds(self) -> dict[str, Any]:
        """Feature to (lower, upper), above the one and up to the other; of levels to their names."""
        return {condition.column.name: condition.bounds for condition in self.conditions}

    @property
    def coverage(self) -> float:
        """Share of rows it holds for: on held-out rows where there are any."""
        return (self.held_out or self.training).coverage

    @property
    def precision(self) -> float:
        """Share of these rows that are decided as it says."""
        return (self.held_out or self.training).precision

    def __str__(self) -> str:
        return rule_sentence(self)

    def __repr__(self) -> str:
        return f"Rule({rule_sentence(self)!r})"
