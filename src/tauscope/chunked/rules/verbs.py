"""Verbs of rules that stand on a sample of the chunks' rows, and count on all of them."""

# Rows come as a person has them.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import pandas as pd

from tauscope.chunked.rules.counts import count_on_others, entries_of
from tauscope.errors import InputError
from tauscope.results.rules.rules import Rules, RulesOfRows
from tauscope.results.rules.spec import ForestOptions, RulesOptions, SufficientOptions
from tauscope.rows.reading import Chunk
from tauscope.study.needs_rows import SAMPLE_ROWS
from tauscope.study.rules.options import check_names
from tauscope.study.rules.same_decision import OwnDecisions
from tauscope.weights.arrays import Floats
from tauscope.weights.seeds import seed_of

if TYPE_CHECKING:
    from tauscope.chunked.base import ChunkedBase
    from tauscope.model.prediction import OutputSpec
    from tauscope.results.rules.distribution import ProjectedDistribution
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rule_list import RuleList
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.results.rules.sufficient import SufficientExplanation, SufficientExplanations
    from tauscope.results.rules.swing_rules import SwingRules
    from tauscope.rows.passes import Passes
    from tauscope.study.study import Study
    from tauscope.weights.arrays import Ints


def sufficient(
    self: ChunkedBase,
    row: Any,
    *,
    sample: int = SAMPLE_ROWS,
    progress: bool = True,
    **options: Unpack[SufficientOptions],
) -> SufficientExplanation | SufficientExplanations:
    """Find the fewest values of a row that leave its decision probable enough, by a forest fitted on a sample.

    Parameters
    ----------
    row : new values, int, or several rows
        As in `Study.sufficient`; a position is one among the rows of `sample(…)`.
    sample : int, default 20,000
        Rows drawn at random, by `random_state`, that the forest is fitted on; all where there are no more.
    progress : bool, default True
        Whether a bar shows after two seconds.
    **options
        As in `Study.sufficient`.

    Returns
    -------
    SufficientExplanation, or SufficientExplanations for several rows
        That of the sample in memory; it says of how many rows the sample is.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.sufficient` and `sample`.
    """
    study, _ = _rules_sample(self, sample, options, progress)
    return study.sufficient(row, **options)


def rules(
    self: ChunkedBase,
    row: Any,
    *,
    sample: int = SAMPLE_ROWS,
    max_rules: int = 5,
    progress: bool = True,
    **options: Unpack[RulesOptions],
) -> Rules | RulesOfRows:
    """Find how far the sufficient values of a row can move, by a forest fitted on a sample; count on all rows.

    Parameters
    ----------
    row, sample, progress
        As in `sufficient`.
    max_rules, **options
        As in `Study.rules`.

    Returns
    -------
    Rules, or RulesOfRows for several rows
        Coverage and precision are counted on all rows but those that the forest was fitted on, in one more pass
        over the chunks; where an edge is moved in the widget, on the sample. A proof is for the ranges of the
        sample's rows.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.rules` and `sample`.
    """
    study, keys = _rules_sample(self, sample, options, progress)
    found = study.rules(row, max_rules=max_rules, **options)
    several: tuple[Rules, ...] = found.of_rows if isinstance(found, RulesOfRows) else (found,)
    every = iter(_counted(self, study, keys, found._spec, tuple(rule for one in several for rule in one), progress))
    counted = tuple(replace(one, rules=tuple(islice(every, len(one)))) for one in several)
    return replace(found, of_rows=counted) if isinstance(found, RulesOfRows) else counted[0]


def same_decision(
    self: ChunkedBase,
    subset: str | int | Sequence[str | int],
    *,
    sample: int = SAMPLE_ROWS,
    progress: bool = True,
    **options: Unpack[ForestOptions],
) -> pd.Series:
    """Say how probable the decision of every row is, given its values of some features, chunk by chunk.

    Parameters
    ----------
    subset, **options
        As in `Study.same_decision`.
    sample, progress
        As in `sufficient`.

    Returns
    -------
    Series of shape (n_rows,)
        In the order of the chunks, by a forest fitted on the sample: 16 bytes a row are all that is kept.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.same_decision` and `sample`; and for a level of the subset that the sample lacks.
    """
    check_names(options, "subset", "sample", known=ForestOptions.__optional_keys__)
    study, _ = _rules_sample(self, sample, options, progress)
    probabilities = OwnDecisions.of(study, subset, options)
    with self._bars(progress):
        sdp = chunked_same_decision(self._passes(), probabilities, study._output_spec)
    return pd.Series(sdp, name="sdp")


def distribution(
    self: ChunkedBase,
    row: Any,
    features: str | int | Sequence[str | int],
    *,
    sample: int = SAMPLE_ROWS,
    progress: bool = True,
    **options: Unpack[ForestOptions],
) -> ProjectedDistribution:
    """Estimate the distribution of the prediction, given a row's values of some features, by a forest of a sample.

    Parameters
    ----------
    row, sample, progress
        As in `sufficient`.
    features, **options
        As in `Study.distribution`.

    Returns
    -------
    ProjectedDistribution
        That of the sample in memory; it says of how many rows the sample is.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.distribution` and `sample`.
    """
    study, _ = _rules_sample(self, sample, options, progress)
    return study.distribution(row, features, **options)


def swing_rules(
    self: ChunkedBase,
    row: Any,
    *,
    sample: int = SAMPLE_ROWS,
    max_rules: int = 5,
    prove: bool = False,
    progress: bool = True,
    **options: Unpack[RulesOptions],
) -> SwingRules:
    """Find the nearest values under which a decision would be another, by a forest fitted on a sample.

    Parameters
    ----------
    row, sample, progress
        As in `sufficient`.
    max_rules, prove, **options
        As in `Study.swing_rules`.

    Returns
    -------
    SwingRules
        Counted as in `rules`.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.swing_rules` and `sample`.
    """
    study, keys = _rules_sample(self, sample, options, progress)
    found = study.swing_rules(row, max_rules=max_rules, prove=prove, **options)
    counted = _counted(self, study, keys, found._spec, tuple(one.rule for one in found), progress)
    swings = tuple(replace(one, rule=rule) for one, rule in zip(found, counted, strict=True))
    return replace(found, swings=swings)


def rule_list(
    self: ChunkedBase,
    *,
    sample: int = SAMPLE_ROWS,
    share: float = 0.9,
    max_rules: int | None = None,
    n_rows: int = 300,
    prove: bool = False,
    progress: bool = True,
    **options: Unpack[RulesOptions],
) -> RuleList:
    """Summarise a model by few rules that cover most rows, by a forest fitted on a sample; count on all rows.

    Parameters
    ----------
    sample, progress
        As in `sufficient`.
    share, max_rules, n_rows, prove, **options
        As in `Study.rule_list`; `n_rows` are drawn from the sample.

    Returns
    -------
    RuleList
        Each rule counted as in `rules`; the share covered and the agreement are those of the sample.

    Raises
    ------
    UnknownName, InputError, InputTypeError
        As `Study.rule_list` and `sample`.
    """
    study, keys = _rules_sample(self, sample, options, progress)
    found = study.rule_list(share=share, max_rules=max_rules, n_rows=n_rows, prove=prove, **options)
    return replace(found, rules=_counted(self, study, keys, found._spec.rules, found.rules, progress))


def _rules_sample(self: ChunkedBase, n: int, options: ForestOptions, progress: bool) -> tuple[Study, Ints]:
    """Return the sample that rules are made on; in the options a generator gives way to its seed."""
    options["random_state"] = seed_of(options.get("random_state", 0))
    return self._sampled(n, options["random_state"], progress)


def _counted(
    self: ChunkedBase, study: Study, keys: Ints, spec: RulesSpec, rules: tuple[Rule, ...], progress: bool
) -> tuple[Rule, ...]:
    """Return rules with coverage and precision of all rows but those their forest was fitted on."""
    with self._bars(progress):
        return count_on_others(self._passes(), study, keys, spec, rules)


def chunked_same_decision(passes: Passes, probabilities: OwnDecisions, output_spec: OutputSpec) -> Floats:
    """Return the probability of each row's own decision, in the order of the chunks: shape (n_rows,).

    Parameters
    ----------
    passes : Passes
    probabilities : OwnDecisions
        Of the sample that the forest was fitted on; handed to each process once.
    output_spec : OutputSpec
        How the model's answers are read.

    Raises
    ------
    InputError
        For rows with a level that the sample lacks, where it is among the values given.
    """
    found: Floats | None = passes.total(_of_chunk, probabilities, output_spec, plus=_joined)
    return np.empty(0) if found is None else found


def _of_chunk(chunk: Chunk, probabilities: OwnDecisions, output_spec: OutputSpec) -> Floats:
    table, columns = probabilities.forest.table, {column.name: column for column in chunk.columns}
    entries = np.tile(table.rows[0], (chunk.n_rows, 1))  # what is not given does not count
    for k in probabilities.subset:
        entries[:, k] = entries_of(table.columns[k], columns)
        if np.isneginf(entries[:, k]).any():
            raise InputError(
                f"The sample lacks a level of {table.columns[k].name!r} that rows have. Give a larger sample, or leave "
                "it out of the subset."
            )
    return probabilities(entries, output_spec(chunk.predict()).predicted.astype(np.float64))


def _joined(a: Floats, b: Floats) -> Floats:
    return np.concatenate([a, b])
