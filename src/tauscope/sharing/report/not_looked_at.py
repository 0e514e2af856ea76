"""What was not looked at: derived from what the study has, what was asked, and what the sections looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tauscope.figures.labels import legible
from tauscope.results.formatting import share
from tauscope.results.reliability import RELIABLE, levels
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.thresholds import can_be_asked
from tauscope.words import count, escape

if TYPE_CHECKING:
    from tauscope.results.base import Study

MOST_NAMES = 12


def not_looked_at(audit: Audit, answered: Sequence[Section]) -> Section:
    """Return the section that names what the others have not looked at."""
    lines = list(_lines(audit, answered))
    items = "".join(f"<li>{escape(legible(line))}</li>" for line in lines)
    said = (
        f"{count(len(lines), 'thing')} that this study could be asked, or lacks the data for, "
        f"{'is' if len(lines) == 1 else 'are'} not answered above."
        if lines
        else "Nothing that this report can ask was left out."
    )
    return Section("What was not looked at?", said, f"<ul>{items}</ul>" if items else "")


def _lines(audit: Audit, answered: Sequence[Section]) -> Iterator[str]:
    study, options = audit.study, audit.options
    looked = _looked_at(answered)
    if study._true_values is None:
        yield "Errors: the truth is not known, so that nothing here says how often the model is wrong."
    yield from _stresses(audit, looked)
    if not options.scenarios:
        yield "Other populations by name: no scenario was given (scenarios=)."
    if options.towards is None:
        yield "A population that is known already: none was given (towards=)."
    if options.beside is None:
        yield "Another model on the same rows: none was given (beside=)."
    yield from _groups(audit, looked)
    if study._task == "binary" and not can_be_asked(study):
        lacks = "the truth" if study._true_values is None else "scores"
        yield f"Other thresholds: without {lacks} there is nothing to compare them by."
    if study._task != "regression" and not looked.get("calibration"):
        yield f"Calibration: {_why_no_calibration(study)}."
    if audit.harm.worse == "either":
        yield f"The worst case: the {audit.metric.label} is no worse when higher or lower (worst_case(…, worse=))."
    yield from _effects(audit, looked)
    yield from _rows(audit)
    yield from _cells(audit)
    if study._random_state is not None:
        yield "Data: the rows were drawn from ranges, so that no population stands behind them."


def _why_no_calibration(study: Study) -> str:
    if study._task == "multiclass":
        return "of several classes it is of one against the others (study.calibration(target_class=))"
    lacks = "the truth" if study._true_values is None else "probabilities"
    return f"without {lacks} there is nothing to compare"


def _looked_at(answered: Sequence[Section]) -> dict[str, list[str]]:
    looked: dict[str, list[str]] = {}
    for section in answered:
        for kind, names in section.looked_at.items():
            looked.setdefault(kind, []).extend(names)
    return looked


def _stresses(audit: Audit, looked: dict[str, list[str]]) -> Iterator[str]:
    skipped = audit.curves.skipped
    if skipped:
        told = [f"{name} ({why})" for name, why in skipped]
        yield f"Features not stressed: {_names(told)}."
    if not looked.get("stressed together"):
        yield "Several features moved at once: each was moved by itself, and the others followed."
    if all(one.hold == "none" for one in audit.options.scenarios):
        yield "Others held: no shift kept the means of the other features, so that each brings along what goes with it."


def _groups(audit: Audit, looked: dict[str, list[str]]) -> Iterator[str]:
    if audit.options.by is None:
        yield "Differences between people: no groups were compared (by=)."
        return
    compared = {name.strip() for each in looked.get("groups", ()) for name in each.split(",")}
    others = [
        column.name for column in audit.study._columns if column.kind != "numeric" and column.name not in compared
    ]
    if others:
        yield f"Groups by {_names(others)}: not compared."


def _effects(audit: Audit, looked: dict[str, list[str]]) -> Iterator[str]:
    study = audit.study
    if not study._has_model:
        yield "The model itself: there are predictions alone, so that no effect, boundary or rule could be asked for."
        return
    drawn = set(looked.get("effects", ()))
    others = [name for name in study.feature_names if name not in drawn]
    if others:
        yield f"Effects of {len(others)} of {len(study.feature_names)} features: {_names(others)}."


def _rows(audit: Audit) -> Iterator[str]:
    study, row = audit.study, audit.options.row
    if not study._has_model:
        return
    if row is None:
        yield f"Single decisions: none of the {count(study.n_rows, 'row')} was explained (row=)."
    else:
        rest = f"{study.n_rows - 1:,} of the {count(study.n_rows, 'row')}"
        yield f"Single decisions: {rest} were not explained, only row {row}."


def _cells(audit: Audit) -> Iterator[str]:
    """Say which share of all points of the curves is not reliable."""
    reason: Any = audit.curves._curves.reason
    unreliable = float((levels(reason) != RELIABLE).mean())
    if unreliable:
        yield (
            f"Populations beyond the rows: of the {count(reason.size, 'point')} of all curves (features × metrics × τ: "
            f"{' × '.join(f'{n:,}' for n in reason.shape)}) {share(unreliable)} are not reliable."
        )


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join([*names[:MOST_NAMES], *([f"and {more} more"] if more > 0 else [])])
