"""The verb `rule_list`: few rules that cover most rows, as a summary of a model and a list of decisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tauscope.errors import InputError
from tauscope.model.jobs import check_n_jobs, run_units
from tauscope.results.rules.rule_list import Against, ListAgreement, RuleList
from tauscope.results.rules.spec import RuleListSpec, RulesOptions, RulesSpec
from tauscope.rules.agreement import class_agreement, value_agreement
from tauscope.rules.cover import cover_rows, decide
from tauscope.rules.decision import SameDecision
from tauscope.rules.rule import GrownRule
from tauscope.rules.shared import sufficient_singles
from tauscope.rules.sufficient import Features
from tauscope.study.rows import ChosenRows
from tauscope.study.rules.explained import ExplainedRow, answer_words, explained_rows, squared_reach
from tauscope.study.rules.forest import StudyForest, study_forest
from tauscope.study.rules.making import RuleGrower, RuleMaker
from tauscope.study.rules.options import check_counts, check_names, settle_spec
from tauscope.study.rules.proofs import ProofSearch
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.checks import check_share
from tauscope.weights.seeds import seed_of
from tauscope.words import count

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
    n_jobs: int | None = None,
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
    n_jobs : int, optional
        Workers, processes of their own, for the rows whose rules are grown, and for proofs. -1 means all cores; None
        means 1 unless in a `joblib.parallel_config` context. The same rules come of any. A few are grown in vain, of
        rows that turn out to be covered.
    **options
        As in `rules`: proof_budget, n_drawn; and as in `sufficient`: pi, t, which is a quantile or a number here,
        n_features, features, groups, min_rows, search, probability, which is the projected forest's here, explained,
        n_estimators, held_out, random_state, by which the rows explained are drawn too.

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
    check_names(options, "share", "max_rules", "n_rows", "prove", "n_jobs")
    check_n_jobs(n_jobs)
    rules = RulesSpec(**options)
    return _find_list(self, RuleListSpec(rules, share, max_rules, n_rows, prove), n_jobs)


def rule_list_from(self: StudyBase, spec: RuleListSpec) -> RuleList:
    """Summarise by a record of the options, such as another's changed with `dataclasses.replace`."""
    return _find_list(self, spec, None)


def _find_list(self: StudyBase, spec: RuleListSpec, n_jobs: int | None) -> RuleList:
    rules = settle_spec(self, spec.rules)
    spec = replace(spec, rules=rules)
    _check_options(spec)
    forest = study_forest(self, rules)
    maker = RuleMaker(self, forest, rules)
    squared_reach(self, forest, rules)  # refuses an interval, whose rules would be of no other row
    sample = explained_rows(self, forest, ChosenRows(_draw(maker, spec)), rules)
    grown = _grow(maker, sample, spec.share, n_jobs)
    if not grown:
        raise InputError(
            f"None of the {count(len(sample), 'row')} drawn has a set of features that reaches π = {rules.pi:g}. "
            "Give a smaller "
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
    made = _make(maker, chosen, spec, n_jobs)
    inside = np.stack([rule.box.inside(forest.table.rows[:, rule.columns]) for _, rule in chosen])
    return RuleList(
        spec,
        self._model_name,
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
        source=self._as_source(),
    )


def _check_options(spec: RuleListSpec) -> None:
    check_counts(spec.rules)
    if spec.rules.probability == "substituted":
        raise InputError(
            "A rule list is of the projected forest; got probability='substituted'. Leave it out, or use "
            "study.rules(rows, probability='substituted')."
        )
    check_share(spec.share, "share", open_low=True)
    for name, value in (("n_rows", spec.n_rows), ("max_rules", spec.max_rules)):
        if value is not None and value < 1:
            raise InputError(f"{name} must be at least 1; got {value!r}.")


def _draw(maker: RuleMaker, spec: RuleListSpec) -> Ints:
    """Draw rows to explain, in the order drawn: of those the forest was fitted on, and that count."""
    candidates = maker.forest.training[maker.weight[maker.forest.training] > 0]
    random = np.random.default_rng([seed_of(maker.spec.random_state), len(candidates)])
    return random.choice(candidates, min(spec.n_rows, len(candidates)), replace=False)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A row whose rule may be grown, its place among the training rows, and the feature that is enough alone."""

    row: ExplainedRow
    place: int
    same: SameDecision
    single: Features


@dataclass(frozen=True, eq=False)
class _GrowRule:
    """A candidate to its rule; None where no set of features is sufficient."""

    grower: RuleGrower

    def __call__(self, one: _Candidate) -> GrownRule | None:
        columns = one.single or self.grower.smallest(one.row.entries, one.same)
        return self.grower.grow(one.row.entries, one.same, sorted(columns)) if columns else None


class _Grown:
    """Rules grown so far, of rows that no rule of the same decision covered, until they cover a share of all weight."""

    def __init__(self, weight: Floats, share: float) -> None:
        self.rules: list[tuple[ExplainedRow, GrownRule]] = []
        self._weight, self._least = weight, share * weight.sum() * (1 - 1e-9)
        self._covered = np.zeros(len(weight), dtype=np.bool_)

    @property
    def are_enough(self) -> bool:
        return bool(self._weight[self._covered].sum() >= self._least)

    def cover(self, one: _Candidate) -> bool:
        decided = np.array([one.row.decided])
        return any(rule.inside[one.place] and row.agrees(decided).all() for row, rule in self.rules)

    def add(self, row: ExplainedRow, rule: GrownRule) -> None:
        self.rules.append((row, rule))
        self._covered |= rule.inside


def _grow(
    maker: RuleMaker, sample: list[ExplainedRow], share: float, n_jobs: int | None
) -> list[tuple[ExplainedRow, GrownRule]]:
    """Grow rules of rows that no rule of the same decision covers yet, until all together cover a share of rows.

    Several workers grow a few ahead, each by itself; they are looked at in the order of the rows, and what is covered
    by then is dropped, so that the rules kept are those of one worker.
    """
    grower, grown = maker.grower, _Grown(maker.weight[maker.forest.training], share)
    waiting: deque[_Candidate] = deque()
    candidates = _candidates(maker, grower, sample)

    def uncovered() -> Iterator[_Candidate]:
        for one in candidates:
            if grown.are_enough:
                return
            if not grown.cover(one):
                waiting.append(one)
                yield one

    for rule in run_units(_GrowRule(grower), uncovered(), n_jobs, one_by_one=True):
        one = waiting.popleft()
        if rule is not None and not grown.are_enough and not grown.cover(one):
            grown.add(one.row, rule)
    return grown.rules


def _candidates(maker: RuleMaker, grower: RuleGrower, sample: list[ExplainedRow]) -> list[_Candidate]:
    """Put rows for which one feature is enough first: their rules tend to cover most, and cost least."""
    same = [row.same(maker.forest) for row in sample]
    joined = SameDecision(np.concatenate([one.lower for one in same]), np.concatenate([one.upper for one in same]))
    entries = np.stack([row.entries for row in sample])
    singles = sufficient_singles(grower.projected, entries, joined, grower.options, weight=grower.stressed)
    places: list[int] = np.searchsorted(maker.forest.training, [row.position for row in sample]).tolist()
    order: list[int] = np.argsort([not one for one in singles], kind="stable").tolist()
    return [_Candidate(sample[i], places[i], same[i], singles[i]) for i in order]


def _value(maker: RuleMaker, row: ExplainedRow, rule: GrownRule) -> float:
    """Return what a rule decides: a class' code, or the mean of the training rows inside."""
    if maker.study._task != "regression":
        return row.decided
    inside = maker.forest.training[rule.inside]
    return float(np.average(maker.forest.decided[inside], weights=maker.weight[inside]))


def _default(maker: RuleMaker, uncovered: Bools) -> float:
    """Return the decision of the training rows that no rule covers; of all where they have no weight."""
    left = maker.forest.training[uncovered]
    if not maker.weight[left].any():
        left = maker.forest.training
    decided, weight = maker.forest.decided[left], maker.weight[left]
    if maker.study._task == "regression":
        return float(np.average(decided, weights=weight))
    return float(np.bincount(decided.astype(np.int64), weight).argmax())


@dataclass(frozen=True, eq=False)
class _MakeRule:
    """A grown rule to itself counted, proved and written, and the rows the model was asked about."""

    maker: RuleMaker
    spec: RuleListSpec

    def __call__(self, chosen: tuple[ExplainedRow, GrownRule]) -> tuple[Rule, int]:
        maker, (row, grown) = self.maker, chosen
        proofs = ProofSearch(maker.study, maker.forest, row, self.spec.rules) if self.spec.prove else None
        rule = maker.make(row, grown, answer_words(maker.study, row), proofs)
        return rule, 0 if proofs is None else proofs.n_model_rows


def _make(
    maker: RuleMaker, chosen: list[tuple[ExplainedRow, GrownRule]], spec: RuleListSpec, n_jobs: int | None
) -> tuple[Rule, ...]:
    make = _MakeRule(maker, spec)
    if not spec.prove or not maker.study._has_model:
        return tuple(make(one)[0] for one in chosen)
    model = maker.study._require_model("has rules")
    n_before = model.n_model_rows
    made = list(run_units(make, chosen, n_jobs))
    model.n_model_rows = n_before + sum(n for _, n in made)  # other processes count their own
    return tuple(rule for rule, _ in made)


def _agreement(maker: RuleMaker, inside: Bools, values: Floats, default: float) -> tuple[ListAgreement, ...]:
    """Compare what the list decides with the model and the truth, on held-out rows where there are any."""
    study, forest = maker.study, maker.forest
    apart = len(forest.held_out) > 0
    part = _counting(forest, maker.weight)
    decided, weight = decide(inside[:, part], values, default), maker.weight[part]
    covered = float(weight[np.logical_or.reduce(inside[:, part], axis=0)].sum() / weight.sum())
    measure = value_agreement if study._task == "regression" else class_agreement
    others: list[tuple[Against, Any]] = [("model", study.predicted)]
    if study._true_values is not None:
        others.append(("truth", study._true_values))
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
