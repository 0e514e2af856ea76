"""Whether it still decides well in another population."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from tauscope.results.base import records
from tauscope.results.formatting import number, share
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.scenarios import AS_TESTED, ScenarioComparison
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import Section
from tauscope.sharing.report.words import apart, doubt, interval, relied, stated, written
from tauscope.sharing.sections import drawn, table


def sections(audit: Audit) -> Iterator[Section]:
    """Ask of each scenario, and put several side by side."""
    scenarios = audit.options.scenarios
    if not len(scenarios):
        return
    found: ScenarioComparison = audit.study.compare_scenarios(scenarios)
    for place, scenario in enumerate(found.scenarios):
        yield _one(audit, found, place, scenario)
    if len(found.scenarios) > 1:
        yield _side_by_side(audit, found)


def _one(audit: Audit, found: ScenarioComparison, place: int, scenario: Scenario) -> Section:
    population, metric = found.populations[place], audit.metric
    rows, tested = (_of(found, name) for name in (scenario.name, AS_TESTED))
    shown = [
        (
            each.label, _cell(each, tested[each.name]), _cell(each, rows[each.name]),
            doubt(rows[each.name]["reliability"], rows[each.name]["note"]),
        )
        for each in found.metrics
    ]  # fmt: skip
    leading, before = rows[metric.name], tested[metric.name]
    said = stated(metric, leading["value"], leading["lower"], leading["upper"], found.confidence)
    answer = (
        f"{population.words}: the {metric.label} is {said}; as tested it is {written(metric, before['value'])} "
        f"({interval(metric, before['lower'], before['upper'])}). "
        f"{apart((before['lower'], before['upper']), (leading['lower'], leading['upper']))} "
        f"{relied(leading['reliability'], leading['note'])}"
    )
    caption = f"Each metric, with {share(found.confidence)} intervals"
    head = ["metric", AS_TESTED, scenario.name, "reliability"]
    moved = tuple(scenario.taus)
    diagnostics = (
        f"{number(population.ess)} effective rows of {found.n_rows:,}; {share(population.tv)} of the weight changes "
        f"hands; KL {number(population.kl)}; Pareto k̂ {number(population.pareto_k)}."
    )
    chart = drawn(found.chart(), found.title) if len(found.scenarios) == 1 else ""
    return Section(
        f"Does it still decide well in “{scenario.name}”?",
        answer,
        table(caption, pd.DataFrame(shown, columns=head)) + chart,
        audit.study.to_code(scenario, view="joint"),
        {scenario.name: repr(scenario)},
        (diagnostics, *population.caveats),
        {"stressed together": moved if len(moved) > 1 else (), "scenarios": (scenario.name,)},
    )


def _side_by_side(audit: Audit, found: ScenarioComparison) -> Section:
    metric = audit.metric
    rows = [_of(found, one.name)[metric.name] for one in found.scenarios]
    highest, lowest = (choose(rows, key=lambda one: one["value"]) for choose in (max, min))
    ends = [
        f"{word} in “{one['scenario']}”, {stated(metric, one['value'], one['lower'], one['upper'], found.confidence)}"
        for word, one in (("highest", highest), ("lowest", lowest))
    ]
    return Section(
        "How do the scenarios compare?",
        f"The {metric.label} is {' and '.join(ends)}.",
        drawn(found.chart(), found.title),
        f"study.compare_scenarios([{', '.join(map(repr, found.scenarios))}])",
        caveats=tuple(words for words in found.notes if not words.startswith(_own(found))),
    )


def _of(found: ScenarioComparison, name: str) -> dict[str, dict[str, Any]]:
    """Return the rows of one population by metric."""
    return {one["metric"]: one for one in records(found.frame) if one["scenario"] == name}


def _own(found: ScenarioComparison) -> tuple[str, ...]:
    return tuple(f"{one.name}: " for one in found.scenarios)


def _cell(metric: Any, cells: Any) -> str:
    return f"{written(metric, cells['value'])} ({interval(metric, cells['lower'], cells['upper'])})"
