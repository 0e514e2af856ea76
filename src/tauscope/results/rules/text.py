"""The words of rules and sufficient sets; sentences made here alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tauscope.results.formatting import number, share
from tauscope.words import count, quoted_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tauscope.results.rules.columns import RuleColumn
    from tauscope.results.rules.distribution import ProjectedDistribution, SetDistribution
    from tauscope.results.rules.rule import Rule, RuleProof, RuleShare
    from tauscope.results.rules.rules import Rules, RulesOfRows
    from tauscope.results.rules.spec import ForestInfo
    from tauscope.results.rules.sufficient import SufficientExplanation, SufficientExplanations


PRECISION = "Intervals of precisions are Clopper and Pearson's, 95 %, for the chance in drawing the held-out rows."
FEW_ROWS = 20
"""Rows of the forest's inside a rule below which its probability, counted on these same rows, was measured to be too
high: rules of fewer were right on .7 of fresh rows at π = .9, others on π of them and more."""
MOST_CLASSES = 5
"""Classes named with their share, the most frequent."""
INTERVAL = "Intervals of probabilities are for the chance in growing the trees, not for that in drawing their rows."

BOXES_STAY = "The boxes are those grown before; the forest was fitted without the weights."


def under_sentence(ess: float, n_rows: int) -> str:
    """Say how many rows the weights of a stress are worth."""
    worth = f"as much as {number(ess)} of equal weight"
    return f"Under the stress the {count(n_rows, 'row')} weigh {worth} (effective sample size)."


def below_sentence(rule: Rule, pi: float) -> str:
    """Say that a rule, as a stress has it, stops holding."""
    return f"falls below π = {pi:g} under this stress: {share(rule.sdp_min)} at a row inside"


def rule_sentence(rule: Rule) -> str:
    """Say a rule: what it asks, what follows, for whom, and how it is known."""
    asked = condition_words(rule)
    start = f"If {asked}: {rule.answer}." if asked else f"Always: {rule.answer}."
    return f"{start} {share_sentence(rule)} {proof_sentence(rule.proof)}"


def condition_words(rule: Rule) -> str:
    """Write what a rule asks: "age > 40 and job is clerk or nurse"; "" where it always holds."""
    return " and ".join(str(condition) for condition in rule.conditions if not condition.open)


def share_sentence(rule: Rule) -> str:
    """Say whom a rule covers and how often it is right."""
    counted = rule.held_out or rule.training
    where = "held-out rows" if rule.held_out else "rows the forest was fitted on"
    if not counted.n_inside:
        return f"No row of {counted.n_rows:,} {where} lies inside.{few_words(rule)}"
    covered = f"Holds for {share(counted.coverage)} of {counted.n_rows:,} {where}"
    return f"{covered}, {precision_words(counted)} of them so.{few_words(rule)}"


def distribution_sentence(one: SetDistribution) -> str:
    """Say what the values of a set alone leave open: "By age and job alone: yes 93.1 %, no 6.9 %"."""
    start = f"By {' and '.join(one.features)} alone: "
    if one.classes:
        order: list[int] = sorted(range(len(one.share)), key=lambda code: -float(one.share[code]))[:MOST_CLASSES]
        named = [f"{one.classes[code]} {share(float(one.share[code]))}" for code in order if one.share[code] > 0]
        return f"{start}{', '.join(named)}."
    below, above = (float(one.share[side].sum()) for side in (one.values < one.low, one.values > one.high))
    if one.decided != one.decided:
        low, high = (number(float(value)) for value in one.quantile(np.array([0.25, 0.75])))
        return f"{start}half between {low} and {high}."
    span = f"{share(one.sdp)} between {number(one.low)} and {number(one.high)}"
    return f"{start}{span}, {share(below)} below and {share(above)} above."


def mean_sentence(one: SetDistribution) -> str:
    """Say where the values lie, and how many rows they rest on."""
    worth = f"as much as {count(max(1, round(one.ess)), 'row')} of equal weight (effective sample size)"
    if one.classes:
        return f"The rows in its cells weigh {worth}."
    low, middle, high = (number(float(value)) for value in one.quantile(np.array([0.05, 0.5, 0.95])))
    return f"Mean {number(one.mean)}, median {middle}, 90 % between {low} and {high}; the rows weigh {worth}."


def few_effective_sentence(few: int, n: int) -> str:
    """Warn of distributions that rest on few rows."""
    where = "It rests" if n == 1 else f"{few} of {count(n, 'row')} rest"
    return f"{where} on an effective sample size below {FEW_ROWS}: outer quantiles and small shares are single rows."


def row_words(rows: Sequence[int]) -> str:
    """Name the rows a result is of: "row 17", "the row given", "60 rows"."""
    if len(rows) != 1:
        return count(len(rows), "row")
    return "the row given" if rows[0] < 0 else f"row {rows[0]}"


def distributions_summary(result: ProjectedDistribution) -> str:
    """Say what some values leave open, for a shell."""
    if len(result) == 1:
        (one,) = result
        said = [f"Given {result.given[0]}.", str(one), mean_sentence(one)]
        return "\n".join([result._caption, *said, *result.notes])
    ess = sorted(one.ess for one in result)
    worth = f"effective sample sizes from {number(ess[0])} to {number(ess[-1])} rows"
    if result.classes:
        means = np.mean([one.share for one in result], axis=0).tolist()
        named = [f"{name} {share(mean)}" for name, mean in zip(result.classes, means, strict=True)]
        return "\n".join([result._caption, f"Mean probabilities: {', '.join(named)}; {worth}.", *result.notes])
    means = [one.mean for one in result]
    return "\n".join(
        [result._caption, f"Means from {number(min(means))} to {number(max(means))}; {worth}.", *result.notes]
    )


def few_words(rule: Rule) -> str:
    """Warn of a rule that rests on few rows; "" of others."""
    n = rule.training.n_inside
    if n >= FEW_ROWS:
        return ""
    rows = "one row" if n == 1 else count(n, "row")
    return f" It rests on {rows} of the forest's: do not count on its probability."


def precision_words(counted: RuleShare) -> str:
    """Write a precision with its interval where it has one."""
    if counted.lower != counted.lower:
        return share(counted.precision)
    return f"{share(counted.precision)} [{share(counted.lower)}, {share(counted.upper)}]"


def proof_sentence(proof: RuleProof) -> str:
    """Say what is known of the model itself."""
    if proof.status == "proved":
        return "Proved: the model never answers otherwise with these values, whatever the others within their ranges."
    known = {
        "refuted": "Other values can overturn it: a row was found that does",
        "open": "Whether other values can overturn it is not settled within the budget",
        "none": f"Whether other values can overturn it is not proved: {proof.reason}",
    }[proof.status]
    if not proof.n_drawn:
        return f"{known}."
    drawn = f"of {count(proof.n_drawn, 'row')} with these values, the others taken from any row, {proof.n_differ:,}"
    return f"{known}; {drawn} are answered otherwise."


def status_sentence(result: SufficientExplanation) -> str:
    """Say whether some values suffice, and which."""
    pi, low, high = share(result._spec.pi), *map(share, result.interval)
    reached = f"{share(result.sdp)} [{low}, {high}]"
    first = stand_in_words(result)
    if result.status == "sufficient":
        least = ", ".join(value_words(result, name) for name in result.best) or "no value at all"
        return f"{first}{least}: enough for {result._answer} with probability {reached}."
    least = ", ".join(map(quoted_name, result.best)) or "no feature"
    searched = f"No set of the {count(len(result._candidates), 'feature')} searched reaches π = {pi}"
    return f"{first}{searched}; nearest comes {least} with {reached}."


def stand_in_words(result: SufficientExplanation) -> str:
    """Say first that the forest decides this row otherwise than the model, and what follows; "" where it does not."""
    if not result.stand_in:
        return ""
    start = f"The forest that stands in for {result.model_name} answers {result.stand_in} for this row"
    if result.n_substituted:
        return f"{start}, so the model itself was asked. "
    return f"{start}: its probabilities explain the forest, not this decision. "


def substituted_sentence(result: SufficientExplanation) -> str:
    """Say what probabilities are of that the model itself was asked for."""
    rows = f"{count(result.n_substituted, 'row')} of the study"
    return (
        f"Probabilities are shares of {rows} that {result.model_name} decides as this one once they have these values; "
        "a set is enough where its whole 95 % interval (Clopper and Pearson's, for the chance in drawing rows) lies "
        f"above π, or every row agrees. The model was asked about {count(result.n_model_rows, 'row')}."
    )


def agreement_sentence(forest: ForestInfo) -> str:
    """Say how well the forest that stands in imitates the model."""
    return f"Rules are counted by the model's decisions; the forest that stands in for it is {quality_words(forest)}."


def quality_words(forest: ForestInfo) -> str:
    """Write how well a forest imitates the model: in all, and by class."""
    kind = "held-out" if forest.of_held_out else "out-of-bag"
    if forest.task == "regression":
        return f"R² {forest.fidelity:.3f} on {kind} rows"
    alike = f"alike for {share(forest.fidelity)} of {kind} rows"
    named = [f"{name} {share(value)} of {n:,}" for name, value, n in forest.by_class[:MOST_CLASSES]]
    return f"{alike} (by class, by trees not fitted on the row: {', '.join(named)})" if named else alike


def value_words(result: SufficientExplanation, name: str) -> str:
    """Write a feature with the row's value."""
    j = next(j for j, column in enumerate(result._columns) if column.name == name)
    return given_words(result._columns[j], float(result._entries[j]))


def given_words(column: RuleColumn, entry: float) -> str:
    """Write a feature with a value: "age = 40"."""
    plain = column.kind == "number" and not column.integer and not math.isnan(entry)
    return f"{column.name} = {number(entry) if plain else column.label(entry)}"


def forest_sentence(forest: ForestInfo, model_name: str) -> str:
    """Say which forest the probabilities are of, and how well it imitates the model."""
    rows = f"{count(forest.n_trees, 'tree')} on {count(forest.n_rows, 'row')}"
    if forest.sampled_from:
        rows += f" of a sample of {forest.n_sampled:,} of {count(forest.sampled_from, 'row')}"
    rows += f", cells of {forest.min_rows} or more"
    weights = ""
    if forest.weighted:
        weights = f" Rows count by their weights{'' if forest.own else '; the forest was fitted without them'}."
    if forest.own:
        return f"Probabilities are those of {model_name} itself, projected: {rows}.{weights}"
    explained = f"the predictions of {model_name}" if forest.explained == "predictions" else "the true labels"
    if forest.fidelity != forest.fidelity:
        quality = "how well it does so is not known: no row was held out"
    else:
        quality = quality_words(forest)
    return f"Probabilities are those of a forest fitted on {explained}, projected: {rows}; {quality}.{weights}"


def sufficient_summary(result: SufficientExplanation) -> str:
    """Say the explanation in a few lines, for a shell."""
    lines = [result._caption, result.message]
    others = result.all[1:6]
    if others:
        more = f", and {len(result.all) - 6} more" if len(result.all) > 6 else ""
        lines.append("Also sufficient: " + "; ".join(" + ".join(names) for names in others) + more + ".")
    if result.greedy:
        lines.append("Sets were grown one feature at a time: a smaller one may have been missed.")
    return "\n".join([*lines, *result.notes])


def sufficient_rows_summary(result: SufficientExplanations) -> str:
    """Say the explanations of several rows in a few lines, for a shell."""
    lines = [result._caption, explained_sentence(result)]
    if result.n_explained:
        named = [
            f"{name} {share(value)}" + (f" [{share(low)}, {share(high)}]" if low == low else "")
            for name, value, low, high in result.importance.head(5).itertuples()
        ]
        lines.append(f"Mean importance, with 95 % intervals for the rows: {', '.join(named)}.")
    return "\n".join([*lines, *result.notes])


def explained_sentence(result: SufficientExplanations) -> str:
    """Say how many rows have a sufficient set, and of how many values."""
    pi, sizes = share(result._spec.pi), sorted(len(one.best) for one in result if one.all_sets)
    if not sizes:
        return f"No set of features reaches π = {pi} for any row."
    found = f"{result.n_explained:,} of {count(len(result), 'row')} have a set of values that reaches π = {pi}"
    return f"{found}; the smallest has {count(sizes[len(sizes) // 2], 'value')} at the median."


def rules_rows_summary(result: RulesOfRows) -> str:
    """Say the rules of several rows, for a shell."""
    return "\n".join([result._caption, rules_rows_sentence(result), *result.notes])


def rules_rows_sentence(result: RulesOfRows) -> str:
    """Say how many rows have a rule, and how often they are right."""
    every = [rule for one in result for rule in one]
    n = sum(bool(len(one)) for one in result)
    held = [rule.held_out for rule in every if rule.held_out and rule.held_out.n_inside]
    said = f"{n:,} of {count(len(result), 'row')} have {count(len(every), 'rule')} in all"
    if not held:
        return f"{said}."
    inside = sum(one.n_inside for one in held)
    right = sum(one.n_inside * one.precision for one in held) / inside
    return f"{said}; of {count(inside, 'held-out row')} inside one, each counted once a rule, {share(right)} are so."


def rules_summary(rules: Rules) -> str:
    """Say the rules of a row, for a shell."""
    if not len(rules):
        return "\n".join([rules._caption, rules.explanation.message, *rules.notes])
    left = len(rules.explanation.minimal) - len(rules)
    more = [f"{count(left, 'more minimal set has a rule', 'more minimal sets have rules')}: max_rules."] if left else []
    first = [stand_in_words(rules.explanation).rstrip()] if rules.explanation.stand_in else []
    return "\n".join([rules._caption, *first, *map(str, rules), *more, *rules.notes])
