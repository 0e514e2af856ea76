"""What a section is: a question, its answer, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tauscope.figures.labels import in_prose, legible
from tauscope.sharing.sections import terms
from tauscope.words import escape


@dataclass(frozen=True)
class Section:
    """A question of a report.

    Attributes
    ----------
    question : str
        "Which shift harms it most?"
    answer : str
        One sentence or two, each number with its interval and how far it can be relied on.
    body : str
        HTML: charts, tables, diagnostics.
    code : str
        Python that gives the numbers again, where the study is named `study`.
    stresses : mapping of str to str
        What was moved, by its name in the tables: Python that `study.reweight` takes.
    caveats : tuple of str
        What must be known to read the answer.
    looked_at : mapping of str to tuple of str
        What was looked at, by kind, from which the report tells what was not: "stressed" features, "effects",
        "groups", "rows".
    """

    question: str
    answer: str
    body: str = ""
    code: str = ""
    stresses: Mapping[str, str] = field(default_factory=dict[str, str])
    caveats: tuple[str, ...] = ()
    looked_at: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def section_html(place: int, section: Section) -> str:
    """Write a section: the question as its head, the answer, then all else."""
    caveats = "".join(f'<p class="note">{escape(in_prose(words))}</p>' for words in section.caveats)
    stresses = terms([(name, code) for name, code in section.stresses.items()], code=True)
    moved = f'<h3>What was moved</h3><p class="note">Each is what study.reweight(…) takes.</p>{stresses}'
    return (
        f'<section id="q{place}"><h2>{escape(legible(section.question))}</h2>'
        f'<p class="answer">{escape(in_prose(section.answer))}</p>{section.body}'
        f"{moved if section.stresses else ''}{code_html(section.code)}{caveats}</section>"
    )


def contents_html(sections: list[Section]) -> str:
    """Write the questions as links to their sections."""
    lines = "".join(
        f'<li><a href="#q{place}">{escape(legible(section.question))}</a></li>'
        for place, section in enumerate(sections, 1)
    )
    return f'<nav aria-label="Contents"><h2>Questions</h2><ol>{lines}</ol></nav>'


def code_html(code: str) -> str:
    """Write Python as it is; without the marks that keep a chart from reading "<", for it may be copied."""
    return f"<pre><code>{escape(code, literal=True)}</code></pre>" if code else ""
