"""An audit as a document, question by question; for paper, no script."""

# Decided in docs/decisions/0024-a-report-is-a-list-of-questions.md.

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from tauscope.data.sparse import check_dense
from tauscope.errors import InputError
from tauscope.figures.labels import legible
from tauscope.results.files import replacing
from tauscope.sharing.about import versions
from tauscope.sharing.html import asset, html_page
from tauscope.sharing.report import (
    as_tested,
    beside,
    calibration,
    effects,
    groups,
    harm,
    row,
    scenarios,
    thresholds,
    towards,
    trust,
    worst,
)
from tauscope.sharing.report.audit import Audit, ReportOptions
from tauscope.sharing.report.head import head_html
from tauscope.sharing.report.not_looked_at import not_looked_at
from tauscope.sharing.report.section import Section, contents_html, section_html
from tauscope.views.workspace.message import predicted_target
from tauscope.words import escape

if TYPE_CHECKING:
    from tauscope.results.base import Study


SECTIONS: tuple[Callable[[Audit], Iterator[Section]], ...] = (
    as_tested.sections,
    scenarios.sections,
    towards.sections,
    harm.sections,
    worst.sections,
    trust.sections,
    groups.sections,
    thresholds.sections,
    calibration.sections,
    beside.sections,
    effects.sections,
    row.sections,
)
"""The questions in their order; what was not looked at and the limits follow."""


def save_report(study: Study, path: str | Path, options: ReportOptions) -> None:
    """Write the report; see `Study.report`."""
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise InputError(
            f"A report is written as .html, which a browser prints; got {path.suffix or 'no ending'!r} in "
            f"{path.name!r}. Open it and print it to PDF."
        )
    check_dense(study._columns, "A report takes")
    audit = Audit(study, options)
    audit.check()
    text = report(audit, path.name)
    with replacing(path) as beside_it:
        beside_it.write_text(text, "utf-8")


def answers(audit: Audit) -> list[Section]:
    """Return every section in its order."""
    asked = [section for sections in SECTIONS for section in sections(audit)]
    return [*asked, not_looked_at(audit, asked), limits()]


def report(audit: Audit, file: str) -> str:
    """Compute and write the document; `file` is what it is called in the code that makes it again."""
    answered = answers(audit)
    body = "".join(section_html(place, section) for place, section in enumerate(answered, 1))
    return html_page(
        title=f"Audit report: {legible(predicted_target(audit.study))}",
        main=f"<main>{head_html(audit, file)}{contents_html(answered)}{body}</main>",
        note=(
            f"Made {date.today().isoformat()} with {versions(audit.study)}. Data {audit.study.data_hash}. "
            "No script, no network."
        ),
        scripts=(),
        admitted=("'none'",),
        styles=(asset("report.css"),),
    )


LIMITS = (
    "The rows stand for a population only as far as they were drawn from it. Intervals are for the chance in drawing "
    "these rows; the model stays as it is.",
    "A stress weights rows anew and changes none: it cannot show what the model does where there are no rows.",
    "Effects are what the model does with a value, not what the value does in the world; neither effects nor stresses "
    "tell causes.",
)


def limits() -> Section:
    """Return the section of limits."""
    items = "".join(f"<li>{escape(legible(line))}</li>" for line in LIMITS)
    return Section(
        "What can this report not say?",
        "Nothing of people unlike all of those in the rows, of causes, or of features whose relation to the truth "
        "changes.",
        f"<ul>{items}</ul>",
    )
