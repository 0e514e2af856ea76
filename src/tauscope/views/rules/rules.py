"""The rules of one row: minimal sets to choose from, a bracket for each feature, another row, π or t."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from tauscope.errors import TauscopeError
from tauscope.results.formatting import number
from tauscope.results.rules.text import condition_words, proof_sentence, share_sentence, stand_in_words
from tauscope.views.base import check_arguments
from tauscope.views.bundle import bundle
from tauscope.views.error_words import plain_words
from tauscope.views.rules.answer import answer_wire
from tauscope.views.rules.listed import listed_wire
from tauscope.views.rules.traits import RulesProgressMessage, RulesTraits, rules_message
from tauscope.views.worker import Worker
from tauscope.words import count, escape

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules
    from tauscope.results.rules.spec import RulesSpec
    from tauscope.views.rules.answer_message import RulesAnswerMessage


STATE = ("pi", "t", "row", "rule", "selection", "stress")


class RulesView(RulesTraits):
    """The minimal sets of a row and how far its values can move; edges dragged are counted in the page.

    Every trait can be observed, set and linked: setting `row`, `pi` or `t` searches, in the kernel.

    Parameters
    ----------
    rules : Rules
        Shown first.
    **traits
        First values of the traits below.

    Attributes
    ----------
    row : int
        Position among the study's rows; −1 for values of their own.
    pi : float
        Least same-decision probability, in (0, 1].
    t : float or None
        Largest squared difference from the prediction that counts as the same, above 0, in the square of its unit; None
        for classes, and where an interval was given.
    rule : int
        Which minimal set is shown, 0 for the first; the last where there are fewer.
    selection : list of int
        Positions of the rows selected, ascending: chosen in the list of rows inside, or all inside the rule as shown.
    stress : dict
        {"taus": {feature: τ}, "hold": "none" | "means" | "uncorrelated"}, shared with other views by `tauscope.link`:
        followed, never set by a person's move here. The kernel counts the rules under it.
    message, answer, cells, sdp, agrees, weights, progress : dict or bytes
        What is shown, as `tauscope.views.rules.traits` and `.answer_message` have it; not meant to be set, nor are
        stressed, stressed_weights, listed, places, decided, scores and entries.

    Raises
    ------
    traitlets.TraitError
        For a row that is not there, π outside (0, 1], t not above 0 or where there is none, or a rule
        below 0.
    """

    _esm, _css = bundle("rules/rules")
    result: Rules

    def __init__(self, rules: Rules, **traits: Any) -> None:
        check_arguments(traits, STATE)
        self._worker, self._doing = Worker(), ""
        explained = rules.explanation.row
        shown = _shown(rules)
        first = {"row": -1 if explained is None else explained, "pi": rules._spec.pi, "t": _tolerance(shown["answer"])}
        message = rules_message(rules, kernel=not self._offline)
        super().__init__(rules, message=message, **shown, **(first | traits))
        self.observe(self._chosen, ["row", "pi", "t"])
        self._chosen()
        self._follow_stress()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return self._worker.busy or self._stress_worker.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the kernel has finished what this view requested, or some seconds have passed."""
        self._worker.wait(seconds)
        self._stress_worker.wait(seconds)

    @property
    def wanted(self) -> RulesSpec:
        """The options of the rules that the traits ask for; a t that was left alone stays the quantile it was."""
        return self._wanted()

    @property
    def start_values(self) -> dict[str, Any]:
        """The values explained, by feature."""
        return {str(name): value for name, value in self.result.explanation.values.items()}

    def check_offline(self) -> None:
        """Refuse a row, a π or a t that a saved page would have to search for, and a stress it could not show."""
        if not self._is_answered():
            raise TauscopeError(
                "A saved page shows the rules that were searched; its traits ask for others. Search them first: "
                "study.rules(row, pi=…, t=…)."
            )
        self._check_stressed()

    def _is_answered(self) -> bool:
        """Whether the answer shown is of the traits."""
        answer = self._answer
        return (self.row, self.pi, self.t) == (answer["row"], answer["pi"], _tolerance(answer))

    def _say(self, doing: str = "", error: str = "") -> None:
        said: RulesProgressMessage = {"row": self.row, "pi": self.pi, "doing": doing, "error": error}
        self.progress = cast(dict[str, Any], said)

    def _chosen(self, change: object = None) -> None:
        """Search what is chosen; what is shown already ends the search for another."""
        offline = self._message["offline"]
        if self._is_answered():
            self._worker.stop()
            self.progress = {}
        elif offline:
            self._say(error=offline)
        else:
            where = f"row {self.row:,}" if self.row >= 0 else "the values given"
            within = "" if self.t is None else f" within ± {number(self.t**0.5)}"
            self._doing = f"Searching the rules of {where} at π = {self.pi:g}{within}"
            self._say(doing=self._doing)
            self._worker.begin(partial(self._compute, self.row, self._wanted()))

    def _tell(self, stopped: Callable[[], bool], done: int, total: int) -> bool:
        """Say how far the search is, unless it was given up for another."""
        if not stopped():
            self._say(doing=f"{self._doing}: {done:,} of {count(total, 'rule')}")
        return stopped()

    def _wanted(self) -> RulesSpec:
        """Return the options of the traits; a t that was left alone stays the quantile it was given as."""
        spec = replace(self.result._spec, pi=self.pi)
        return spec if self.t == _tolerance(self._answer) else replace(spec, t=self.t)

    def _compute(self, row: int, spec: RulesSpec, stopped: Callable[[], bool]) -> None:
        try:
            study = self.result._require_source()
            asked = row if row >= 0 else self.result.explanation.values
            found: Rules = study._rules_from(asked, spec, progress=False, callback=partial(self._tell, stopped))
            if stopped():
                return
            shown = _shown(found)
            with self.hold_sync():
                self._forget_stressed()
                self.result = found
                for name, value in shown.items():
                    setattr(self, name, value)
                self.progress = {}
            self._follow_stress()
        except Exception as error:  # the user's model may raise anything; the page says it
            if not stopped():
                self._say(error=plain_words(error))

    def fallback(self) -> dict[str, str]:
        """Add the rules as a table."""
        return self._with_table(rules_table(self.result))


def _tolerance(answer: RulesAnswerMessage) -> float | None:
    """Return the t of an answer; None where it has none."""
    same = answer["same"]
    return None if same is None else same["t"]


def _shown(result: Rules) -> dict[str, Any]:
    """Return the traits of an answer and of the rows listed with it."""
    found = answer_wire(result)._asdict()
    return {"answer": found.pop("message"), **found, **listed_wire(result)._asdict()}


def rules_table(result: Rules) -> str:
    """Write each rule with whom it covers and how it is known.

    Parameters
    ----------
    result : Rules

    Returns
    -------
    str
        HTML; every word from the data is escaped.
    """
    alone = "".join(f"<p>{escape(str(one))}</p>" for one in result.distributions)
    if not len(result):
        return f"<p>{escape(f'{result._caption}. {result.explanation.message}')}</p>{alone}"
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("if", "then", "held by rows", "known"))
    lines = "".join(
        f'<tr><th scope="row">{escape(condition_words(rule) or "always")}</th><td>{escape(rule.answer)}</td>'
        f"<td>{escape(share_sentence(rule))}</td><td>{escape(proof_sentence(rule.proof))}</td></tr>"
        for rule in result
    )
    alone = f"<p>{escape(stand_in_words(result.explanation))}</p>{alone}" if result.explanation.stand_in else alone
    head = f"<caption>{escape(result._caption)}</caption><thead><tr>{heads}</tr></thead>"
    return f"<table>{head}<tbody>{lines}</tbody></table>{alone}"
