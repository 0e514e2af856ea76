"""The rules of a row: one box for each minimal sufficient set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from tauscope.results import show
from tauscope.results.base import ChartedParts
from tauscope.results.rules.sufficient import SufficientExplanations
from tauscope.results.rules.text import PRECISION, rules_rows_summary, rules_summary
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.rules.distribution import SetDistribution
    from tauscope.results.rules.rows import RuleRows
    from tauscope.results.rules.rule import Rule
    from tauscope.results.rules.rules_under import RulesUnder
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.results.rules.sufficient import SufficientExplanation
    from tauscope.weights.arrays import Floats


@dataclass(frozen=True, repr=False, eq=False)
class Rules(ChartedParts["Rule"]):
    """How far the sufficient values of a row can move; a sequence of `Rule`.

    Made by `Study.rules`.

    Attributes
    ----------
    explanation : SufficientExplanation
        The sets they are of.
    rules : tuple of Rule
        Empty where no set reaches π.
    n_model_rows : int
        Rows the model was asked about.
    rows : RuleRows
        The rows they are counted on.
    distributions : tuple of SetDistribution
        What is decided by each rule's features alone; where no set reaches π, by those of the nearest.

    Examples
    --------
    >>> rules = forest_study.rules(0)
    >>> len(rules.rules)
    1
    """

    _spec: RulesSpec
    """The options they were grown with."""

    explanation: SufficientExplanation
    rules: tuple[Rule, ...]
    n_model_rows: int
    rows: RuleRows
    distributions: tuple[SetDistribution, ...]

    @property
    def title(self) -> str:
        """Name the rules: "Rules of row 17"."""
        row = self.explanation.row
        return "Rules of the row given" if row is None else f"Rules of row {row}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.explanation.model_name}"

    @property
    def status(self) -> str:
        """As of the explanation: "sufficient" or "none reaches π"."""
        return self.explanation.status

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know."""
        notes = self.explanation.notes
        return (*notes, PRECISION) if any(rule.held_out for rule in self.rules) else notes

    @property
    def frame(self) -> pd.DataFrame:
        """One line per rule and feature.

        Columns: rule, feature, lower, upper, levels, missing, value, sdp, sdp_min, coverage, precision,
        precision_lower, precision_upper, n_inside, held_out, volume, proof.
        """
        return pd.DataFrame([line for place in range(len(self.rules)) for line in self._lines(place)], columns=COLUMNS)

    def _lines(self, place: int) -> Iterator[dict[str, Any]]:
        rule = self.rules[place]
        counted = rule.held_out or rule.training
        for condition in rule.conditions:
            levels = condition.column.kind == "levels"
            yield {
                "rule": place,
                "feature": condition.column.name,
                "lower": None if levels else condition.lower,
                "upper": None if levels else condition.upper,
                "levels": condition.levels if levels else None,
                "missing": condition.missing,
                "value": condition.column.value(condition.entry),
                "sdp": rule.sdp,
                "sdp_min": rule.sdp_min,
                "coverage": counted.coverage,
                "precision": counted.precision,
                "precision_lower": counted.lower,
                "precision_upper": counted.upper,
                "n_inside": counted.n_inside,
                "held_out": rule.held_out is not None,
                "volume": rule.volume,
                "proof": rule.proof.status,
            }

    def under(self, stress: Any, *, quantile: float = 0.05) -> RulesUnder:
        """Return what becomes of these rules when rows count as a stress has them: the boxes stay.

        Parameters
        ----------
        stress : Constraint, Stress, Scenario or Reweighting
        quantile : float, default 0.05
            As in `Study.under`.

        Returns
        -------
        RulesUnder
            Probabilities, coverage and precision before and after, and which rules still hold.

        Raises
        ------
        InputError
            As `Study.under`; and for rules that stand alone, without a study.
        """
        return self._require_source()._rules_under(self, stress, quantile=quantile)

    def proved(self) -> Rule:
        """Grow the largest box around the row in which the model is proved never to answer otherwise.

        Whatever the values of other features within the range of the study's rows: features are opened wholly, those
        the forest uses least first, and the sides of the others moved out over the study's values, while the proof
        holds. No side of the box can be moved further; another order may lead to another box.

        Returns
        -------
        Rule
            Its proof is "proved", its coverage and precision counted as of any rule.

        Raises
        ------
        InputError
            Where nothing is proved of the model, such as one that cannot be read or is too large for `proof_budget`;
            and for rules that stand alone, without a study.

        References
        ----------
        Izza, Ignatiev, Rubin, Marques-Silva, Stuckey, "Most general explanations of tree ensembles", IJCAI 2025.

        Examples
        --------
        >>> forest_study.rules(0).proved().proof.status
        'proved'
        """
        return self._require_source()._proved_rule(self)

    def chart(self, kind: Literal["rules", "distribution"] = "rules", *, rule: int = 0) -> alt.LayerChart:
        """Draw each rule as a span per feature, the row's own value marked; or what one rule's features leave open.

        Parameters
        ----------
        kind : {"rules", "distribution"}, default "rules"
            "distribution": what the forest's rows are decided, given the row's values of a rule's features alone. Of
            a regression as a distribution function, the span that counts as the same shaded.
        rule : int, default 0
            kind="distribution": of which rule; 0 also where no set reaches π, for the nearest.

        Returns
        -------
        altair.LayerChart

        Raises
        ------
        InputError
            For another kind, or a rule that is not there.
        """
        return show.draw(self, kind=kind, rule=rule)

    def widget(self, **traits: Any) -> show.RulesView:
        """Make the widget: the minimal sets, the rule of one as brackets whose edges can be dragged, another row.

        Parameters
        ----------
        **traits
            First values of its traits; see `RulesView`.

        Returns
        -------
        RulesView
        """
        return show.view(self, **traits)

    @property
    def _parts(self) -> tuple[Rule, ...]:
        return self.rules

    def __repr__(self) -> str:
        return rules_summary(self)


@dataclass(frozen=True, repr=False, eq=False)
class RulesOfRows(ChartedParts[Rules]):
    """The rules of several rows; a sequence of `Rules`, one a row.

    Made by `Study.rules`.

    Attributes
    ----------
    model_name : str
    of_rows : tuple of Rules
    weight : ndarray of shape (n_rows,)
        What each row counts: its weight in the study, 1 for new values.

    Examples
    --------
    >>> found = forest_study.rules(range(3))
    >>> found.frame["row"].tolist()
    [0, 1, 2, 2]
    """

    _spec: RulesSpec
    """The options they were grown with."""

    model_name: str
    of_rows: tuple[Rules, ...]
    weight: Floats

    @property
    def title(self) -> str:
        """Name them: "Rules of 60 rows"."""
        return f"Rules of {count(len(self), 'row')}"

    @property
    def _caption(self) -> str:
        """The title and the model."""
        return f"{self.title}: {self.model_name}"

    @property
    def explanations(self) -> SufficientExplanations:
        """The sets they are of, with the importance of features over all rows."""
        found = tuple(one.explanation for one in self)
        return SufficientExplanations(
            self._spec, self.model_name, found, self.weight, source=self.source, computed_on=self.computed_on
        )

    @property
    def n_model_rows(self) -> int:
        """Rows the model was asked about."""
        return sum(one.n_model_rows for one in self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know: that of any row, once."""
        return tuple(dict.fromkeys(note for one in self for note in one.notes))

    @property
    def frame(self) -> pd.DataFrame:
        """One line per row, rule and feature: as of each row's `Rules`, after `row`, a position, −1 for new values."""
        rows = [-1 if one.explanation.row is None else one.explanation.row for one in self]
        lines = [
            {"row": row, **line}
            for row, one in zip(rows, self, strict=True)
            for place in range(len(one))
            for line in one._lines(place)
        ]
        return pd.DataFrame(lines, columns=["row", *COLUMNS])

    def chart(self) -> alt.LayerChart:
        """Draw each rule by the share of rows it covers and how often it is right, on held-out rows where there are.

        Returns
        -------
        altair.LayerChart
        """
        return show.draw(self, name="draw_rows")

    @property
    def _parts(self) -> tuple[Rules, ...]:
        return self.of_rows

    def __repr__(self) -> str:
        return rules_rows_summary(self)


COLUMNS = [
    "rule", "feature", "lower", "upper", "levels", "missing", "value", "sdp", "sdp_min", "coverage", "precision",
    "precision_lower", "precision_upper", "n_inside", "held_out", "volume", "proof",
]  # fmt: skip
