"""The verb `rules`: how far the sufficient values of a row can move before its decision is in doubt."""

# Decided in docs/decisions/0032-a-rule-is-judged-twice.md.

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

from tauscope.model.progress_bar import Bar, Callback
from tauscope.prediction.stopping import step, steps
from tauscope.results.rules.rule import Rule
from tauscope.results.rules.rules import Rules, RulesOfRows
from tauscope.results.rules.spec import RulesOptions, RulesSpec, SufficientOptions
from tauscope.rules.proofs.proof import BUDGET
from tauscope.study.rows import choose_any
from tauscope.study.rules.distribution import set_distributions
from tauscope.study.rules.explained import explained_row, explained_rows
from tauscope.study.rules.forest import study_forest
from tauscope.study.rules.groups import spread_groups
from tauscope.study.rules.making import RuleMaker
from tauscope.study.rules.options import check_counts, check_names, settle_spec
from tauscope.study.rules.proofs import ProofSearch
from tauscope.study.rules.substituted import model_distribution
from tauscope.study.rules.sufficient import explain, row_weights
from tauscope.words import count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tauscope.study.base import StudyBase
    from tauscope.study.rules.explained import ExplainedRow
    from tauscope.study.rules.forest import StudyForest


@overload
def rules(
    self: StudyBase,
    row: int | Mapping[str, Any],
    *,
    max_rules: int = 5,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[RulesOptions],
) -> Rules: ...
@overload
def rules(
    self: StudyBase,
    row: Any,
    *,
    max_rules: int = 5,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[RulesOptions],
) -> Any: ...
def rules(
    self: StudyBase,
    row: Any,
    *,
    max_rules: int = 5,
    proof_budget: int = BUDGET,
    n_drawn: int = 10_000,
    progress: bool = True,
    callback: Callback | None = None,
    **options: Unpack[SufficientOptions],
) -> Any:
    """Find how far the sufficient values of a row can move: a box around it for each minimal set.

    Parameters
    ----------
    row : int, new values, or several rows
        A position among the study's rows; or a frame of one row, a series, a dict of all columns, or an array.
        Several: positions, a mask, a slice, or a frame or array of new rows.
    max_rules : int, default 5
        Most minimal sets whose rule is grown.
    proof_budget : int, default 2,000,000
        Leaves looked at, about, for the proof of each rule; 0 proves nothing.
    n_drawn : int, default 10,000
        Rows drawn inside a rule that the model is asked about where nothing is proved.
    progress : bool, default True
        Whether a bar shows once the work has taken two seconds.
    callback : callable or None
        Called as callback(rules done, rules in all) after each rule; where it returns something true, those so far are
        returned, as with a smaller `max_rules`. Of several rows after each row, as callback(rows done, rows in all).
    **options
        As in `sufficient`: pi, t, n_features, features, groups, min_rows, search, probability, explained,
        n_estimators, held_out, random_state.

    Returns
    -------
    Rules, or RulesOfRows for several rows
        A sequence of `Rule`, each with `.bounds`, `.sdp`, `.sdp_min`, `.coverage`, `.precision` and `.proof`, and a
        sentence as its str; empty where no set reaches π.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `sufficient`.

    Notes
    -----
    A rule holds at every row of the forest's inside it: the same-decision probability is at least π there. Its
    precision is counted on held-out rows, with Clopper and Pearson's interval, and on the forest's own without one.
    One that holds for a handful of the forest's rows was chosen because these agree, and promises too much: believe its
    held-out interval, or ask for larger cells, `min_rows`.
    Where `sufficient` asked the model itself, a rule is grown where the model keeps the decision with probability π: at
    the study's rows inside, and at 300 rows put together of others' values.
    The proof is of the model itself, for all values of the other features within the range of the study's rows: of
    tree ensembles of scikit-learn, LightGBM, XGBoost and CatBoost, and of linear models, behind scalers and encoders.

    Examples
    --------
    >>> rule = forest_study.rules(0).rules[0]
    >>> [condition.column.name for condition in rule.conditions]
    ['mean radius']
    """
    check_names(options, "max_rules")
    spec = settle_spec(self, RulesSpec(max_rules=max_rules, proof_budget=proof_budget, n_drawn=n_drawn, **options))
    check_counts(spec)
    chosen, one = choose_any(self, spread_groups(spec.groups, row))
    forest = study_forest(self, spec)
    several = explained_rows(self, forest, chosen, spec)
    if one:
        return _grow_rules(self, forest, several[0], spec, progress, callback)
    found: list[Rules] = []
    with Bar(f"Growing the rules of {count(chosen.n, 'row')}", shown=progress, callback=callback) as bar:
        for each in steps(several):
            found.append(_grow_rules(self, forest, each, spec, False, None))
            if bar.update(len(found), chosen.n):
                break
    weight = row_weights(self, chosen)[: len(found)]
    return RulesOfRows(spec, self._model_name, tuple(found), weight, source=self._as_source())


def rules_from(
    self: StudyBase, row: Any, spec: RulesSpec, *, progress: bool = True, callback: Callback | None = None
) -> Rules:
    """Grow rules by a record of the options, such as another's changed with `dataclasses.replace`."""
    spec = settle_spec(self, spec)
    check_counts(spec)
    forest = study_forest(self, spec)
    return _grow_rules(self, forest, explained_row(self, forest, row, spec), spec, progress, callback)


def _grow_rules(
    self: StudyBase,
    forest: StudyForest,
    explained: ExplainedRow,
    spec: RulesSpec,
    progress: bool,
    callback: Callback | None,
) -> Rules:
    step()
    before = self.n_model_rows
    result, asked = explain(self, forest, explained, spec)
    step()
    proofs = ProofSearch(self, forest, explained, spec)
    maker = RuleMaker(self, forest, spec, asked)
    sets = result.minimal_sets[: spec.max_rules]
    grown = [maker.grow(explained, list(one)) for one in steps(sets)]
    made: list[Rule] = []
    with Bar(f"Proving the rules of {self._model_name}", unit="rule", shown=progress, callback=callback) as bar:
        for one in steps(grown):
            made.append(maker.make(explained, one, result._answer, proofs))
            if bar.update(len(made), len(grown)):
                break
    sets, grown = sets[: len(made)], grown[: len(made)]
    names = [column.name for column in forest.table.columns]
    nearest = tuple(names.index(name) for name in result.best)
    step()
    if asked is None:
        (distributions,) = set_distributions(self, forest, [explained], sets or [nearest], spec)
    else:
        distributions = tuple(model_distribution(asked, one) for one in sets or [nearest])
    rows = maker.counted_rows(explained, grown)
    n_model_rows = proofs.n_model_rows if asked is None else self.n_model_rows - before
    return Rules(spec, result, tuple(made), n_model_rows, rows, distributions, source=self._as_source())
