"""What would flip the decision of a row, and what is enough for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tauscope.errors import InputError
from tauscope.results.boundary.text import LEVELS
from tauscope.results.rules.text import rule_sentence, stand_in_words
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.head import legible_text
from tauscope.sharing.report.section import Section
from tauscope.sharing.sections import drawn, table
from tauscope.words import escape

COLUMNS = ["feature", "value", "point", "rival"]


def sections(audit: Audit) -> Iterator[Section]:
    """Explain the row asked for: what flips it, and the rules that keep it."""
    row, study = audit.options.row, audit.study
    if row is None:
        return
    if study._task != "regression":
        yield _section(
            f"What would flip the decision of row {row}?",
            f"study.boundary({row}, random_state={audit.seed})",
            lambda: _boundary(study.boundary(row, random_state=audit.seed)),
            row,
        )
    yield _section(
        f"What is enough for the decision of row {row}?",
        f"study.rules({row}, random_state={audit.seed})",
        lambda: _rules(study.rules(row, random_state=audit.seed)),
        row,
    )


def _section(question: str, code: str, answer: Callable[[], tuple[str, str]], row: int) -> Section:
    """Answer a question about a row, or say why these rows give no answer."""
    try:
        said, body = answer()
    except InputError as error:
        return Section(question, f"Left out. {error}", "", code)
    return Section(question, said, body, code, looked_at={"rows": (str(row),)})


def _boundary(boundary: Any) -> tuple[str, str]:
    body = drawn(boundary.chart(), boundary.title, captioned=False) + table("Values", boundary.frame[COLUMNS])
    return f"{boundary.sentence}. {_doubt(boundary)}".strip(), body + _told(boundary)


def _rules(rules: Any) -> tuple[str, str]:
    first = stand_in_words(rules.explanation)
    said = first + rule_sentence(rules.rules[0]) if rules.rules else rules.explanation.message
    return said, drawn(rules.chart(), rules.title, captioned=False) + _told(rules)


def _doubt(boundary: Any) -> str:
    """Say how far the explanation of the direction can be relied on."""
    return (
        "" if boundary.reliability is None else f"The explanation of its direction is {LEVELS[boundary.reliability]}."
    )


def _told(result: Any) -> str:
    """Write all that a result says of itself."""
    return f"<pre>{escape(legible_text(repr(result)))}</pre>"
