"""Few rules that cover most rows: a summary of a model, and a list of decisions for new rows."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.results import show
from tauscope.results.base import ChartedParts, records
from tauscope.results.formatting import number, share
from tauscope.results.rules.text import condition_words, forest_sentence, share_sentence
from tauscope.rules.agreement import Measure
from tauscope.rules.cover import decide
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.columns import RuleColumn
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.spec import ForestInfo, RuleListSpec
    from tauscope.weights.arrays import Bools, Floats


Against = Literal["model", "truth"]


@dataclass(frozen=True)
class ListAgreement:
    """How often a rule list decides as the model does, or as is true.

    Attributes
    ----------
    against : {"model", "truth"}
    measure : {"accuracy", "R²"}
        R² of a regression.
    value, lower, upper : float
        With an interval for other rows; NaN on rows the rules were made on, where it would promise too much.
    covered : float
        Share of these rows that some rule holds for; the default decides the others.
    n_rows : int
        Rows compared.
    held_out : bool
        Whether they were held out from the forest.
    """

    against: Against
    measure: Measure
    value: float
    lower: float
    upper: float
    covered: float
    n_rows: int
    held_out: bool


@dataclass(frozen=True, repr=False, eq=False)
class RuleList(ChartedParts["Rule"]):
    """Rules in the order they decide: the first that holds for a row does. A sequence of `Rule`.

    Made by `Study.rule_list`.

    Attributes
    ----------
    model_name : str
    classes : tuple
        Labels in code order; empty for a regression.
    rules : tuple of Rule
    values : ndarray of shape (m,)
        What each rule decides: code of a class, or the mean of what is predicted for the rows inside.
    default : float
        What is decided where no rule holds.
    covered : ndarray of shape (m,)
        Share of the forest's rows that the rules up to and with each cover.
    agreements : tuple of ListAgreement
    n_explained, n_grown : int
        Rows drawn, and the rules grown, of which these were chosen.
    n_model_rows : int
        Rows the model was asked about.

    Examples
    --------
    >>> rules = forest_study.rule_list(share=0.8)
    >>> rules.holds(X_test[:3]).shape
    (4, 3)
    """

    _spec: RuleListSpec
    """The options it was made with."""

    model_name: str
    _columns: tuple[RuleColumn, ...]
    classes: tuple[Hashable, ...]
    rules: tuple[Rule, ...]
    values: Floats
    default: float
    covered: Floats
    agreements: tuple[ListAgreement, ...]
    _forest: ForestInfo
    n_explained: int
    n_grown: int
    n_model_rows: int

    @property
    def title(self) -> str:
        """Name the list: "12 rules for 90 % of rows"."""
        return list_title(self)

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        return (*list_notes(self), forest_sentence(self._forest, self.model_name))

    @property
    def decisions(self) -> list[str]:
        """What each rule decides, in words: ">50K"; of a regression its value."""
        return [decision_words(self, value) for value in self.values.tolist()]

    @property
    def default_decision(self) -> str:
        """What is decided where no rule holds, in words."""
        return decision_words(self, self.default)

    @property
    def frame(self) -> pd.DataFrame:
        """One line per rule, in the order they decide.

        Columns: rule (its conditions in words), decision, coverage and cumulative_coverage of the forest's rows;
        precision, precision_lower, precision_upper and n_inside of held-out rows where `held_out`, else of the
        forest's; sdp_min, volume and proof.
        """
        lines = zip(self.rules, self.decisions, self.covered.tolist(), strict=True)
        return pd.DataFrame([_line(*line) for line in lines], columns=COLUMNS)

    @property
    def agreement(self) -> pd.DataFrame:
        """How often the list decides as the model does, and as is true where that is known.

        Columns: against, measure, value, lower, upper, covered, n_rows, held_out.
        """
        return pd.DataFrame([vars(one) for one in self.agreements])

    def predict(self, X: Any) -> NDArray[Any]:
        """Decide new rows: by the first rule that holds, else by default.

        Parameters
        ----------
        X : DataFrame, or array of shape (n, p)
            In the study's columns.

        Returns
        -------
        ndarray of shape (n,)
            Labels; of a regression values.

        Raises
        ------
        UnknownName, InputError, InputTypeError
            For other columns, a level the study does not have, or values of another kind.
        """
        decided = decide(self.holds(X), self.values, self.default)
        if not self.classes:
            return decided
        return labels.decode(decided.astype(np.int64), self.classes, np.array(self.classes).dtype)

    def holds(self, X: Any) -> Bools:
        """Tell which rules hold for which new rows.

        Parameters
        ----------
        X : DataFrame, or array of shape (n, p)
            In the study's columns; errors as in `predict`.

        Returns
        -------
        ndarray of bool of shape (n_rules, n)
        """
        entries = self._encode(self._require_source()._read_points(X))
        at = {column.name: j for j, column in enumerate(self._columns)}
        every: Bools = np.ones((len(self.rules), len(entries)), dtype=np.bool_)
        for rule, holds in zip(self.rules, every, strict=True):
            for condition in rule.conditions:
                holds &= condition.holds(entries[:, at[condition.column.name]])
        return every

    def _encode(self, points: Floats) -> Floats:
        """Turn the study's codes of levels into places in the order of the rules' columns."""
        source = self._require_source()
        at = {column.name: j for j, column in enumerate(source._columns)}
        entries = np.empty((len(points), len(self._columns)))
        for k, column in enumerate(self._columns):
            values = points[:, [at[name] for name in column.names]]
            if column.one_hot:
                entries[:, k] = column.read_group(values)
                continue
            entries[:, k] = values[:, 0]
            if column.kind == "levels":
                own = source._columns[at[column.name]].levels
                place = np.array([column.levels.index(level) for level in own], dtype=np.float64)
                known = ~np.isnan(values[:, 0])
                entries[known, k] = place[values[known, 0].astype(np.int64)]
        return entries

    def _document(self) -> dict[str, Any]:
        """Return what .json holds."""
        return {
            "schema": "tauscope.rule_list",
            "version": 1,
            "model": self.model_name,
            "pi": self._spec.rules.pi,
            "share": self._spec.share,
            "rules": records(self.frame),
            "default": self.default_decision,
            "agreement": records(self.agreement),
            "notes": list(self.notes),
        }

    def chart(self) -> alt.Chart:
        """Draw the share of rows that the rules cover, one after the other.

        Returns
        -------
        altair.Chart
        """
        return show.draw(self)

    @property
    def _parts(self) -> tuple[Rule, ...]:
        return self.rules

    def __repr__(self) -> str:
        return list_summary(self)


COLUMNS = [
    "rule", "decision", "coverage", "cumulative_coverage", "precision", "precision_lower", "precision_upper",
    "n_inside", "held_out", "sdp_min", "volume", "proof",
]  # fmt: skip


def _line(rule: Rule, decision: str, covered: float) -> dict[str, Any]:
    counted = rule.held_out or rule.training
    return {
        "rule": condition_words(rule),
        "decision": decision,
        "coverage": rule.training.coverage,
        "cumulative_coverage": covered,
        "precision": counted.precision,
        "precision_lower": counted.lower,
        "precision_upper": counted.upper,
        "n_inside": counted.n_inside,
        "held_out": rule.held_out is not None,
        "sdp_min": rule.sdp_min,
        "volume": rule.volume,
        "proof": rule.proof.status,
    }


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
