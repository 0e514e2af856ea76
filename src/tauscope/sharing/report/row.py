"""What would flip the decision of a row, and what is enough for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tauscope.results.boundary.text import LEVELS
from tauscope.results.rules.text import rule_sentence
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
    if study.task != "regression":
        boundary = study.boundary(row, random_state=audit.seed)
        yield Section(
            f"What would flip the decision of row {row}?",
            f"{boundary.sentence}. {_doubt(boundary)}".strip(),
            drawn(boundary.chart(), boundary.title, captioned=False)
            + table("Values", boundary.frame[COLUMNS])
            + _told(boundary),
            f"study.boundary({row}, random_state={audit.seed})",
            looked_at={"rows": (str(row),)},
        )
    rules = study.rules(row, random_state=audit.seed)
    yield Section(
        f"What is enough for the decision of row {row}?",
        rule_sentence(rules.rules[0]) if rules.rules else rules.explanation.message,
        drawn(rules.chart(), rules.title, captioned=False) + _told(rules),
        f"study.rules({row}, random_state={audit.seed})",
        looked_at={"rows": (str(row),)},
    )


def _doubt(boundary: Any) -> str:
    """Say how far the explanation of the direction can be relied on."""
    return (
        "" if boundary.reliability is None else f"The explanation of its direction is {LEVELS[boundary.reliability]}."
    )


def _told(result: Any) -> str:
    """Write all that a result says of itself."""
    return f"<pre>{escape(legible_text(repr(result)))}</pre>"
