"""The words of rules and sufficient sets; sentences made here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.results.formatting import share

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule, RuleProof, RuleShare


def rule_sentence(rule: Rule) -> str:
    """Say a rule: what it asks, what follows, for whom, and how it is known."""
    asked = [str(condition) for condition in rule.conditions if not condition.open]
    start = f"If {' and '.join(asked)}: {rule.answer}." if asked else f"Always: {rule.answer}."
    return f"{start} {share_sentence(rule)} {proof_sentence(rule.proof)}"


def share_sentence(rule: Rule) -> str:
    """Say whom a rule covers and how often it is right."""
    counted = rule.held_out or rule.training
    where = "held-out rows" if rule.held_out else "rows the forest was fitted on"
    if not counted.n_inside:
        return f"No row of {counted.n_rows:,} {where} lies inside."
    return f"Holds for {share(counted.coverage)} of {counted.n_rows:,} {where}, {precision_words(counted)} of them so."


def precision_words(counted: RuleShare) -> str:
    """Write a precision with its interval where it has one."""
    if counted.lower != counted.lower:
        return share(counted.precision)
    return f"{share(counted.precision)} [{share(counted.lower)}, {share(counted.upper)}]"


def proof_sentence(proof: RuleProof) -> str:
    """Say what is known of the model itself."""
    drawn = f"{proof.n_differ:,} of {proof.n_drawn:,} rows drawn inside are answered otherwise"
    if proof.status == "proved":
        return "Proved: the model never answers otherwise with these values, whatever the other features are."
    if proof.status == "refuted":
        return f"With these values the model can answer otherwise where the other features are unusual; {drawn}."
    if proof.status == "open":
        return f"Not proved within the budget; {drawn}."
    return f"Not proved: {proof.reason}; {drawn}."
