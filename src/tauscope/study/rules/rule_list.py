"""The verb `rule_list`: few rules that cover most rows, as a summary of a model and a list of decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.errors import InputError
from tauscope.results.rules.rule_list import Against, ListAgreement, RuleList
from tauscope.results.rules.spec import RuleListSpec, RulesOptions, RulesSpec
from tauscope.rules.agreement import class_agreement, value_agreement
from tauscope.rules.cover import cover_rows, decide
from tauscope.rules.decision import SameDecision
from tauscope.rules.rule import GrownRule
from tauscope.rules.shared import sufficient_singles
from tauscope.rules.sufficient import SearchOptions, find_sufficient
from tauscope.study.rules.explained import ExplainedRow, answer_words, explained_rows
from tauscope.study.rules.forest import StudyForest, study_forest, training_weight
from tauscope.study.rules.making import RuleMaker
from tauscope.study.rules.options import check_counts, check_names, search_options, settle_spec
from tauscope.study.rules.proofs import ProofSearch
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.results.rules.rule import Rule
    from tauscope.study.base import StudyBase


def rule_list(
    self: StudyBase,
    *,
    share: float = 0.9,
    max_rules: int | None = None,
    n_rows: int = 300,
    prove: bool = False,
    **options: Unpack[RulesOptions],
) -> RuleList:
    """Summarise a model by few rules that cover most rows, which also decide new rows.

    The rule of the smallest sufficient set is grown for rows drawn at random, those passed over that a rule of the same
    decision covers already. Of these rules the one that covers most rows is chosen, then the one that covers most of
    those left, until a share of the rows is covered.

    Parameters
    ----------
    share : float, default 0.9
        Of the rows the forest was fitted on, in (0, 1], that is to be covered.
    max_rules : int, optional
        Most rules; by default as many as the share takes.
    n_rows : int, default 300
        Rows drawn from those the forest was fitted on. No more rules are grown once all together cover the share.
    prove : bool, default False
        Whether to prove the rules chosen, as `rules` does.
    **options
        As in `rules`: proof_budget, n_drawn; and as in `sufficient`: pi, t, which is a quantile or a number here,
        n_features, features, groups, min_rows, search, explained, n_estimators, held_out, random_state, by which the
        rows explained are drawn too.

    Returns
    -------
    RuleList
        A sequence of `Rule`; `.frame`, `.agreement`, `.predict(X)`, `.chart()`.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `rules`; and where no row of the sample has a set that reaches π.

    Notes
    -----
    Of the rules that hold for a row the first decides. Where none does, the decision is the most frequent one of the
    rows that no rule covers, of all where there are none. Of a regression a rule's value is the mean of what is
    predicted for the rows inside. Agreement with the model, and with the truth where it is known, is measured on the
    rows held out from the forest, which no rule was made on. With k rules at least 1 − (1 − 1/k)^k of what the best k
    of those grown would cover is covered (Nemhauser, Wolsey, Fisher 1978).

    Examples
    --------
    >>> rules = forest_study.rule_list(share=0.8)
    >>> rules.predict(X_test[:3])
    array([0, 1, 1])
    """
    check_names(options, "share", "max_rules", "n_rows", "prove")
    rules = RulesSpec(**options)
    return rule_list_from(self, RuleListSpec(rules, share, max_rules, n_rows, prove))


def rule_list_from(self: StudyBase, spec: RuleListSpec) -> RuleList:
    """Summarise by a record of the options, such as another's changed with `dataclasses.replace`."""
    rules = settle_spec(self, spec.rules)
    spec = replace(spec, rules=rules)
    _check_options(spec)
    forest = study_forest(self, rules)
    maker = RuleMaker(self, forest, rules)
    sample = explained_rows(self, forest, _draw(maker, spec), rules)
    grown = _grow(maker, sample, spec.share)
    if not grown:
        raise InputError(
            f"None of the {len(sample)} rows drawn has a set of features that reaches π = {rules.pi:g}. Give a smaller "
            "pi, more n_features, or more rows: n_rows."
        )
    offered = np.stack([rule.inside for _, rule in grown])
    weight = maker.weight[forest.training]
    cover = cover_rows(offered, weight, share=spec.share, max_rules=spec.max_rules)
    order: list[int] = cover.chosen.tolist()
    chosen = [grown[place] for place in order]
    values = np.array([_value(maker, row, rule) for row, rule in chosen])
    default = _default(maker, ~np.logical_or.reduce(offered[cover.chosen], axis=0))
    n_before = self.n_model_rows
    made = tuple(_make(maker, row, rule, spec) for row, rule in chosen)
    inside = np.stack([rule.box.inside(forest.table.rows[:, rule.columns]) for _, rule in chosen])
    return RuleList(
        spec,
        self.model_name,
        forest.table.columns,
        self.classes,
        made,
        values,
        default,
        cover.covered,
        _agreement(maker, inside, values, default),
        forest.info(self, rules),
        len(sample),
        len(grown),
        self.n_model_rows - n_before,
        source=self.as_source(),
    )


def _check_options(spec: RuleListSpec) -> None:
    check_counts(spec.rules)
    check_share(spec.share, "share", open_low=True)
    for name, value in (("n_rows", spec.n_rows), ("max_rules", spec.max_rules)):
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1; got {value!r}.")


def _draw(maker: RuleMaker, spec: RuleListSpec) -> Ints:
    """Draw rows to explain, in the order drawn: of those the forest was fitted on, and that count."""
    candidates = maker.forest.training[maker.weight[maker.forest.training] > 0]
    random = np.random.default_rng([seed_of(maker.spec.random_state), len(candidates)])
    return random.choice(candidates, min(spec.n_rows, len(candidates)), replace=False)


def _grow(maker: RuleMaker, sample: list[ExplainedRow], share: float) -> list[tuple[ExplainedRow, GrownRule]]:
    """Grow rules of rows that no rule of the same decision covers yet, until all together cover a share of rows.

    Rows for which one feature is enough come first: their rules tend to cover most, and cost least.
    """
    forest, weight = maker.forest, maker.weight[maker.forest.training]
    same = [row.same(forest) for row in sample]
    joined = SameDecision(np.concatenate([one.lower for one in same]), np.concatenate([one.upper for one in same]))
    entries = np.stack([row.entries for row in sample])
    options = replace(search_options(maker.study, maker.spec), every=False, confidence=None)
    stressed = training_weight(maker.study, forest)
    singles = sufficient_singles(forest.projected, entries, joined, options, weight=stressed)
    places = np.searchsorted(forest.training, [row.position for row in sample])
    grown: list[tuple[ExplainedRow, GrownRule]] = []
    covered = np.zeros(len(weight), dtype=np.bool_)
    order: list[int] = np.argsort([not one for one in singles], kind="stable").tolist()
    for i in order:
        row, place = sample[i], int(places[i])
        if any(rule.inside[place] and other.agrees(np.array([row.decided])).all() for other, rule in grown):
            continue
        columns = singles[i] or _smallest(maker, row, options)
        if not columns:
            continue
        rule = maker.grow(row, sorted(columns))
        grown.append((row, rule))
        covered |= rule.inside
        if weight[covered].sum() >= share * weight.sum() * (1 - 1e-9):
            break
    return grown


def _smallest(maker: RuleMaker, row: ExplainedRow, options: SearchOptions) -> tuple[int, ...]:
    forest = maker.forest
    weight = training_weight(maker.study, forest)
    return find_sufficient(forest.projected, row.entries, row.same(forest), options, weight=weight).minimal


def _value(maker: RuleMaker, row: ExplainedRow, rule: GrownRule) -> float:
    """Return what a rule decides: a class' code, or the mean of the training rows inside."""
    if maker.study.task != "regression":
        return row.decided
    inside = maker.forest.training[rule.inside]
    return float(np.average(maker.forest.decided[inside], weights=maker.weight[inside]))


def _default(maker: RuleMaker, uncovered: Bools) -> float:
    """Return the decision of the training rows that no rule covers; of all where they have no weight."""
    left = maker.forest.training[uncovered]
    if not maker.weight[left].any():
        left = maker.forest.training
    decided, weight = maker.forest.decided[left], maker.weight[left]
    if maker.study.task == "regression":
        return float(np.average(decided, weights=weight))
    return float(np.bincount(decided.astype(np.int64), weight).argmax())


def _make(maker: RuleMaker, row: ExplainedRow, grown: GrownRule, spec: RuleListSpec) -> Rule:
    proofs = ProofSearch(maker.study, maker.forest, row, spec.rules) if spec.prove else None
    return maker.make(row, grown, answer_words(maker.study, row), proofs)


def _agreement(maker: RuleMaker, inside: Bools, values: Floats, default: float) -> tuple[ListAgreement, ...]:
    """Compare what the list decides with the model and the truth, on held-out rows where there are any."""
    study, forest = maker.study, maker.forest
    apart = len(forest.held_out) > 0
    part = _counting(forest, maker.weight)
    decided, weight = decide(inside[:, part], values, default), maker.weight[part]
    covered = float(weight[np.logical_or.reduce(inside[:, part], axis=0)].sum() / weight.sum())
    measure = value_agreement if study.task == "regression" else class_agreement
    others: list[tuple[Against, Any]] = [("model", study.predicted)]
    if study.truth is not None:
        others.append(("truth", study.truth))
    found: list[ListAgreement] = []
    for against, other in others:
        one = measure(decided, other[part].astype(np.float64), weight)
        lower, upper = (one.lower, one.upper) if apart else (np.nan, np.nan)
        found.append(ListAgreement(against, one.measure, one.value, lower, upper, covered, len(part), apart))
    return tuple(found)


def _counting(forest: StudyForest, weight: Floats) -> Ints:
    """Return the held-out rows that count; where none are held out, the training rows that do."""
    part = forest.held_out if len(forest.held_out) else forest.training
    return part[weight[part] > 0]
