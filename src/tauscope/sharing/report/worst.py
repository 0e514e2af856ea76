"""How bad it could get within the distance that shifts were compared at, the worst features moved together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd

from tauscope.errors import InputError
from tauscope.results.base import records
from tauscope.results.formatting import number, share
from tauscope.results.reliability import level_of
from tauscope.results.stress.harm import moved_together
from tauscope.results.stress.numbers.reweight_tables import note_of
from tauscope.results.stress.worst_case import WorstCase
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import doubt, interval, relied, stated, written
from tauscope.sharing.sections import drawn, table

ROWS = {
    "all": "all rows, which it was chosen on",
    "chosen": "the part it was chosen on anew",
    "held out": "rows held out of that choice",
}


def sections(audit: Audit) -> Iterator[Section]:
    """Search the worst shift of the few features that harm most, and bound it by any reweighting of rows."""
    harm = audit.harm
    features = moved_together(harm)
    if harm.worse == "either" or not features:
        return
    ask = partial(audit.study.worst_case, harm.metric.name, within={"tv": harm._asked}, random_state=audit.seed)
    try:
        found: WorstCase = ask(features=features)
    except InputError:  # features that follow from one another, or a metric that rows in their order make
        return
    code = f"study.worst_case({harm.metric.name!r}, within={{'tv': {harm._asked:g}}}, features={features!r})"
    yield Section(
        f"How bad can the {harm.metric.label} get, features moved together?",
        _answer(found),
        drawn(found.chart(), found.title) + _table(found),
        code,
        {"the worst shift found": repr(found.stress)},
        (f"Allowed: {found.allowed}.", f"It leans on {found.leans_on}.", *_bound(ask), *found.notes),
        {"stressed together": tuple(name for name, _, _ in found.moved)},
    )


def _bound(ask: partial[WorstCase]) -> tuple[str, ...]:
    """Say what any reweighting of rows comes to, where that can be told."""
    try:
        bound = ask()
    except InputError:  # no mean or ratio of what rows add
        return ()
    end = "most" if bound.worse == "higher" else "least"
    return (
        "Any reweighting of rows of that size, which no real population need be, comes to "
        f"{written(bound.metric, bound.value)} at {end}.",
    )


def _answer(found: WorstCase) -> str:
    metric, held = found.metric, found.held_out
    said = (
        f"The {metric.label} goes from {written(metric, found.before)} to "
        f"{stated(metric, found.value, found.lower, found.upper, found.confidence)} on the rows it was chosen on."
    )
    if held is not None and not held.failed:
        one = held.estimate
        there = f"{written(metric, one.value)} ({interval(metric, one.lower, one.upper)})"
        said += (
            f" Chosen on {held.n_chosen_on:,} of the rows and read on the others it goes from "
            f"{written(metric, held.before)} to {there}."
        )
    return f"{said} {relied(level_of(found.estimate.reason), note_of(metric, found.estimate))}"


def _table(found: WorstCase) -> str:
    metric = found.metric
    rows = [
        (
            ROWS[row["rows"]],
            number(row["n_rows"]),
            written(metric, row["before"]),
            written(metric, row["value"]),
            interval(metric, row["lower"], row["upper"]) if row["lower"] == row["lower"] else "–",
            doubt(row["reliability"], row["note"]) if row["rows"] != "chosen" else "–",
        )
        for row in records(found.estimates)
    ]
    columns = ["read on", "rows", "as tested", "there", f"{share(found.confidence)} interval", "reliability"]
    return table(found._caption, pd.DataFrame(rows, columns=columns))
