"""Which shift harms it most."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from tauscope.results.formatting import number, share
from tauscope.results.stress.harm import StressHarm, moved_words
from tauscope.results.stress.numbers.equal_distance import Shift
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import changed, doubt, relied, short_number, written
from tauscope.sharing.sections import drawn, table
from tauscope.stress.joint.constraints import Mean

MOST_ROWS = 10
OF_MANY = "Shifts are ranked by estimates of many: the first looks stronger here than it would on other rows."


def sections(audit: Audit) -> Iterator[Section]:
    """Rank the shifts of one size, and draw the curves behind them."""
    curves, harm = audit.curves, audit.harm
    metric = harm.metric
    frame = pd.DataFrame(
        [
            (
                _name(one),
                moved_words(one),
                f"{written(metric, one.before)} → {written(metric, one.value)}",
                f"{changed(metric, one.change)} ({changed(metric, one.lower)} to {changed(metric, one.upper)})",
                number(one.ess),
                doubt(one.reliability, one.note),
            )
            for one in harm.shifts
        ],
        columns=["shift", "mean", metric.label, "change, with its interval", "effective rows", "reliability"],
    )
    yield Section(
        f"Which shift {'moves' if harm.worse == 'either' else 'harms'} the {metric.label} most?",
        _answer(harm),
        drawn(harm.chart(), harm.title)
        + table(harm.size, frame, most=MOST_ROWS)
        + drawn(curves.chart(metric.name), curves.title),
        f"study.stress_curves().harm({metric.name!r})",
        {
            _name(one): repr(Mean(one.feature, tau=short_number(one.tau)))
            for one in harm.shifts[:MOST_ROWS]
            if one.reliability != "out of reach"
        },
        (*harm.notes, OF_MANY),
        {"stressed": curves.feature_names},
    )


def _name(one: Shift) -> str:
    return f"{one.feature} {one.direction}"


def _answer(harm: StressHarm) -> str:
    """Say what the first shift does, and whether the interval tells it from none."""
    if not harm.shifts or harm.shifts[0].reliability == "out of reach":
        return f"No feature can be moved so far that {share(harm._asked)} of the weight changes hands."
    one, metric = harm.shifts[0], harm.metric
    told = (
        "The interval reaches to both sides of 0: these rows do not show a change."
        if one.lower <= 0 <= one.upper
        else "The interval lies on one side of 0."
    )
    return (
        f"{_name(one)} ({moved_words(one)}): the {metric.label} goes from {written(metric, one.before)} to "
        f"{written(metric, one.value)}, {changed(metric, one.change)} ({share(harm.confidence)} interval "
        f"{changed(metric, one.lower)} to {changed(metric, one.upper)}). {told} {relied(one.reliability, one.note)}"
    )
