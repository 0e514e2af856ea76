"""What a report of this kind cannot say, whatever was asked."""

from __future__ import annotations

from tauscope.figures.labels import legible
from tauscope.sharing.report.section import Section
from tauscope.words import escape

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
