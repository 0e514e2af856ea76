"""The words of a rule list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tauscope.data import labels
from tauscope.results.formatting import number, share
from tauscope.results.rules.text import condition_words, share_sentence
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.rules.rule_list import ListAgreement, RuleList

SHOWN = 12
"""Rules written in a shell."""


def list_title(result: RuleList) -> str:
    """Name a list by how many rules cover how much."""
    n = len(result.rules)
    return f"{count(n, 'rule')} for {share(float(result.covered[-1]))} of rows"


def decision_words(result: RuleList, value: float) -> str:
    """Write what is decided: the label, or the value."""
    return labels.names(result.classes)[int(value)] if result.classes else number(value)


def agreement_sentence(one: ListAgreement, model_name: str) -> str:
    """Say how well a list agrees with the model or the truth."""
    what = f"as {model_name}" if one.against == "model" else "as is true"
    where = f"{one.n_rows:,} {'held-out rows' if one.held_out else 'rows the forest was fitted on'}"
    if one.value != one.value:
        return f"How well it decides {what} cannot be said: that does not vary on {where}."
    if one.measure == "accuracy":
        interval = f" [{share(one.lower)}, {share(one.upper)}]" if one.held_out else ""
        return f"Decides {share(one.value)}{interval} of {where} {what}."
    interval = f" [{number(one.lower)}, {number(one.upper)}]" if one.held_out else ""
    return f"Decides {what} with R² {number(one.value)}{interval} on {where}."


def list_notes(result: RuleList) -> tuple[str, ...]:
    """Say what a reader has to know of a list."""
    notes = [agreement_sentence(one, result.model_name) for one in result.agreements]
    short = result.covered[-1] < result._spec.share - 1e-9
    if short and (result._spec.max_rules is None or len(result.rules) < result._spec.max_rules):
        notes.append(
            f"The rules of the {count(result.n_explained, 'row')} drawn cover no more: "
            f"{share(float(result.covered[-1]))} of "
            f"the {share(result._spec.share)} asked for."
        )
    return tuple(notes)


def list_summary(result: RuleList) -> str:
    """Say a list, for a shell."""
    lines = [result._caption]
    for place, (rule, decision) in enumerate(zip(result.rules[:SHOWN], result.decisions, strict=False)):
        start = "If" if place == 0 else "Else if"
        asked = condition_words(rule)
        said = f"{start} {asked}: {decision}." if asked else f"{'Always' if place == 0 else 'Else'}: {decision}."
        lines.append(f"{said} {share_sentence(rule)}")
    if len(result.rules) > SHOWN:
        lines.append(f"… and {len(result.rules) - SHOWN} more: .frame.")
    return "\n".join([*lines, f"Else: {result.default_decision}.", *result.notes])
