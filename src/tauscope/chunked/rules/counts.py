"""Rules counted on all rows in chunks but those they were made on: sums that add up over chunks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tauscope.data.columns import Column
from tauscope.data.table_rows import engine_values
from tauscope.errors import InputError
from tauscope.results.rules.rule import RuleShare
from tauscope.rows.outline import row_keys
from tauscope.rows.reading import Chunk
from tauscope.rules.rule import RuleCounts, precision_interval
from tauscope.study.rules.forest import study_forest
from tauscope.weights.arrays import Bools, Floats, Ints
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.model.prediction import OutputSpec
    from tauscope.results.rules.columns import RuleColumn
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.spec import Explained, RulesSpec
    from tauscope.rows.passes import Passes
    from tauscope.study.study import Study


@dataclass(frozen=True, eq=False)
class CountOptions:
    """What is asked of every chunk.

    Attributes
    ----------
    rules : tuple of Rule
    output_spec : OutputSpec
        How the model's answers are read.
    explained : {"predictions", "labels"}
    seed : int
        Of the keys of rows.
    made_on : ndarray of int
        Keys of the rows that the rules were made on, which are not counted.
    """

    rules: tuple[Rule, ...]
    output_spec: OutputSpec
    explained: Explained
    seed: int
    made_on: Ints


@dataclass(frozen=True, eq=False)
class RuleSums:
    """Sums over rows, those for each rule as arrays.

    Attributes
    ----------
    n_rows : int
        Rows of positive weight.
    weight : float
    n_inside : ndarray of int, shape (n_rules,)
    inside, squares, agrees : ndarray of shape (n_rules,)
        Of the rows inside each rule: weights, their squares, and weights of those decided as it says.
    """

    n_rows: int
    weight: float
    n_inside: Ints
    inside: Floats
    squares: Floats
    agrees: Floats

    def __add__(self, other: RuleSums) -> RuleSums:
        """Return the sums over both row sets."""
        return RuleSums(
            self.n_rows + other.n_rows,
            self.weight + other.weight,
            self.n_inside + other.n_inside,
            self.inside + other.inside,
            self.squares + other.squares,
            self.agrees + other.agrees,
        )

    def share(self, place: int) -> RuleShare | None:
        """Return coverage and precision of one rule; None where no row counts."""
        if not self.weight > 0:
            return None
        inside, n_inside = float(self.inside[place]), int(self.n_inside[place])
        precision = float(self.agrees[place]) / inside if n_inside else np.nan
        ess = inside**2 / float(self.squares[place]) if n_inside else 0.0
        counts = RuleCounts(self.n_rows, n_inside, inside / self.weight, precision, ess)
        return RuleShare(counts.n_rows, n_inside, counts.coverage, precision, *precision_interval(counts))


def count_on_others(
    passes: Passes, study: Study, keys: Ints, spec: RulesSpec, rules: tuple[Rule, ...]
) -> tuple[Rule, ...]:
    """Return rules with coverage and precision of all rows but those their forest was fitted on, in one pass.

    Parameters
    ----------
    passes : Passes
    study : Study
        Of the sample that the rules were made on.
    keys : ndarray of int
        Of its rows.
    spec : RulesSpec
        As the study settled it.
    rules : tuple of Rule

    Raises
    ------
    InputError
        For chunks with a column of another kind, or without y where labels are explained.
    """
    if not rules:
        return rules
    made_on = keys[study_forest(study, spec).training]
    options = CountOptions(rules, study._output_spec, spec.explained, seed_of(spec.random_state), made_on)
    sums: RuleSums | None = passes.total(_count_chunk, options, plus=RuleSums.__add__)
    return tuple(
        replace(rule, held_out=None if sums is None else sums.share(place)) for place, rule in enumerate(rules)
    )


def holds(rule: Rule, columns: dict[str, Column], n_rows: int) -> Bools:
    """Tell for which rows of a chunk a rule holds: levels that the rule does not know are outside."""
    inside = np.ones(n_rows, dtype=np.bool_)
    for condition in rule.conditions:
        if not condition.open:
            inside &= condition.holds(entries_of(condition.column, columns))
    return inside


def _count_chunk(chunk: Chunk, options: CountOptions) -> RuleSums:
    weight: Floats = np.ones(chunk.n_rows) if chunk.weight is None else chunk.weight
    weight = np.where(np.isin(row_keys(chunk, options.seed), options.made_on), 0.0, weight)
    decided = _decided(chunk, options)
    columns = {column.name: column for column in chunk.columns}
    inside = np.array([holds(rule, columns, chunk.n_rows) for rule in options.rules]).reshape(-1, chunk.n_rows)
    ends = np.array([rule.decided for rule in options.rules]).reshape(-1, 2)
    agrees = inside & (decided >= ends[:, :1]) & (decided <= ends[:, 1:])
    return RuleSums(
        int((weight > 0).sum()),
        float(weight.sum()),
        (inside & (weight > 0)).sum(axis=1),
        inside @ weight,
        inside @ weight**2,
        agrees @ weight,
    )


def _decided(chunk: Chunk, options: CountOptions) -> Any:
    if options.explained == "predictions":
        return options.output_spec(chunk.predict()).predicted
    if chunk.y is None:
        raise InputError("explained='labels' needs true labels, and these rows have none. Give target, or (X, y).")
    return options.output_spec.truth(chunk.y)


def entries_of(column: RuleColumn, columns: dict[str, Column]) -> Floats:
    """Return the values of a feature as a rule's conditions take them."""
    own = [columns[name] for name in column.names]
    if column.one_hot:
        return column.read_group(np.column_stack([engine_values(one) for one in own]), unknown=-np.inf)
    values = engine_values(own[0])
    if np.isnan(values).all():
        return values
    if (own[0].codes is not None) != (column.kind == "levels"):
        raise InputError(
            f"A column must be of one kind in all chunks; {column.name!r} is {own[0].kind} in one and not in the "
            "sample. Convert it first, or name it in categorical_features."
        )
    if own[0].codes is None:
        return values
    place = {level: float(k) for k, level in enumerate(column.levels)}
    entry = np.array([*(place.get(level, -np.inf) for level in own[0].levels), np.nan])
    return entry[own[0].codes]  # −1 is missing
