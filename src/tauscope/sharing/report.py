"""An audit as a document: what the model is, its figures and tables, and the limits of both; for paper, no script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tauscope.data import labels
from tauscope.data.sparse import check_dense
from tauscope.errors import InputError, InputTypeError, place_of
from tauscope.figures.effects.table import effect_table
from tauscope.figures.labels import legible
from tauscope.results.files import replacing
from tauscope.results.formatting import number, points, share, signed
from tauscope.results.reliability import level_of
from tauscope.results.stress.harm import StressHarm, moved_words
from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.scenario import Scenario
from tauscope.sharing.about import versions
from tauscope.sharing.html import asset, html_page
from tauscope.sharing.sections import drawn, section, table, terms
from tauscope.stress.joint.constraints import Mean
from tauscope.views.workspace.message import predicted_target
from tauscope.weights.seeds import RandomState, seed_of

MOST_EFFECTS = 3
MOST_ROWS = 10
MOST_LEVELS = 12
LIMITS = (
    "The rows stand for a population only as far as they were drawn from it. Intervals are for the chance in drawing "
    "these rows; the model stays as it is.",
    "A stress weights rows anew and changes none: it cannot show what the model does where there are no rows.",
    "Effects are what the model does with a value, not what the value does in the world; neither effects nor stresses "
    "tell causes.",
    "Shifts are ranked by estimates of many: the first looks stronger here than it would on other rows.",
)


@dataclass(frozen=True)
class ReportOptions:
    """What a report has beside the metrics, and what its author has to say; see `Study.report`."""

    scenarios: Sequence[Scenario] = ()
    by: Any = None
    features: Sequence[str] | None = None
    row: int | None = None
    author: str = ""
    purpose: str = ""
    notes: str = ""
    random_state: RandomState = 0


def save_report(study: Any, path: str | Path, options: ReportOptions) -> None:
    """Write the report; see `Study.report`."""
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise InputError(
            f"A report is written as .html, which a browser prints; got {path.suffix or 'no ending'!r} in "
            f"{path.name!r}. Open it and print it to PDF."
        )
    check_dense(study.columns, "A report takes")
    _check(study, options)
    text = report(study, options)
    with replacing(path) as beside:
        beside.write_text(text, "utf-8")


def report(study: Any, options: ReportOptions) -> str:
    """Compute and write the document."""
    seed = seed_of(options.random_state)
    said: list[str] = []
    parts = [
        _card(study, options, seed),
        *_shifts(study, said),
        *_scenarios(study, options, said),
        *_groups(study, options, said),
        *_effects(study, options, said),
        *_row(study, options, seed),
        _limits(said),
    ]
    title = f"Audit report: {legible(predicted_target(study))}"
    return html_page(
        title=title,
        main=f"<main>{''.join(parts)}</main>",
        note=f"Made {date.today().isoformat()} with {versions()}. Data {study.data_hash}. No script, no network.",
        scripts=(),
        admitted=("'none'",),
        styles=(asset("report.css"),),
    )


def _check(study: Any, options: ReportOptions) -> None:
    """Refuse what could not be in the report before anything is computed."""
    for name in ("author", "purpose", "notes"):
        value = getattr(options, name)
        if not isinstance(value, str):
            raise InputTypeError(f"{name} must be text; got {type(value).__name__}. Leave it out, or give a str.")
    row, n_rows = options.row, study.n_rows
    if row is not None and not 0 <= row < n_rows:
        raise InputError(f"row must be a position between 0 and {n_rows - 1:,}; got {row}.")
    for name in options.features or ():
        place_of("feature", name, study.feature_names)
    if (options.features or row is not None) and not study.has_model:
        study.require_model("has effects" if options.features else "can be asked about a row")


def _card(study: Any, options: ReportOptions, seed: int) -> str:
    """Write the head: what is predicted, by what, on which rows, how well, and who says so."""
    lines: tuple[tuple[str, str], ...] = (
        ("Purpose", options.purpose),
        ("Author", options.author),
        ("Notes", options.notes),
        ("Predicted", predicted_target(study)),
        ("Model", study.model_name),
        ("Parameters", _parameters(study)),
        ("Task", study.task),
        ("Classes", _classes(study)),
        ("Rows", f"{study.n_rows:,}{'' if study.sample_weight is None else ', weighted'}"),
        ("Columns", f"{len(study.feature_names)}: {', '.join(_columns(study))}"),
        ("Data", f"SHA-256 {study.data_hash}"),
        ("Seed", str(seed)),
        ("Made", f"{date.today().isoformat()}, with {versions()}"),
    )
    return section("What this is", terms([(term, legible_text(words)) for term, words in lines]), _metrics(study))


def legible_text(words: str) -> str:
    """Return text with its lines kept, as it can be shown."""
    # without the marks that keep a chart from reading "<": here every word is escaped, and may be copied
    return "\n".join(legible(line).replace("\u2060", "") for line in words.splitlines())


def _parameters(study: Any) -> str:
    """Return what the estimator was made with, where it is one; for a pipeline those of its last step."""
    if not study.has_model:
        return ""
    model = study.require_model("has parameters").model
    steps = getattr(model, "steps", None)
    model = steps[-1][1] if steps else model
    if not hasattr(model, "get_params"):
        return ""
    told = {name: _short(value) for name, value in model.get_params(deep=False).items()}
    words = ", ".join(f"{name}={value}" for name, value in told.items())
    return f"{' → '.join(type(step).__name__ for _, step in steps)}; of the last: {words}" if steps else words


def _short(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}…"


def _columns(study: Any) -> list[str]:
    names = list(study.feature_names)
    return names if len(names) <= 30 else [*names[:30], f"and {len(names) - 30:,} more"]


def _classes(study: Any) -> str:
    """Name the classes, with the share of the rows that are so and that are predicted so."""
    if study.task == "regression":
        return ""
    weight = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    names: Sequence[str] = labels.names(study.classes)
    words: list[str] = []
    for code, name in enumerate(names[:MOST_LEVELS]):
        predicted = share(float(weight[study.predicted == code].sum() / weight.sum()))
        true = "" if study.truth is None else share(float(weight[study.truth == code].sum() / weight.sum()))
        words.append(f"{name}: {true + ' of the rows, ' if true else ''}{predicted} predicted")
    more = len(study.classes) - MOST_LEVELS
    return "\n".join([*words, f"and {more} more"] if more > 0 else words)


def _metrics(study: Any) -> str:
    joint: JointStress = study.joint_stress()
    rows = [
        (
            metric.label,
            _written(metric, one.value),
            _interval(metric, one.lower, one.upper),
            level_of(one.reason),
        )
        for metric, one in zip(joint.metrics, joint.unstressed, strict=True)
    ]
    caption = f"Metrics as tested, with {share(joint.confidence)} intervals"
    return table(caption, pd.DataFrame(rows, columns=["metric", "value", "interval", "reliability"]))


def _written(metric: Any, value: float) -> str:
    return share(value) if metric.kind == "share" else number(value)


def _interval(metric: Any, lower: float, upper: float) -> str:
    return f"{_written(metric, lower)} to {_written(metric, upper)}"


def _shifts(study: Any, said: list[str]) -> Iterable[str]:
    """Write which shifts harm most, all of one size, and the curves behind them."""
    curves = study.stress_curves()
    harm: StressHarm = curves.harm()
    said += [*curves.notes, *harm.notes]
    change = points if harm.metric.kind == "share" else number
    frame = pd.DataFrame(
        [
            (
                f"{one.feature} {one.direction}",
                moved_words(one),
                f"{_written(harm.metric, one.before)} → {_written(harm.metric, one.value)}",
                f"{signed(change(one.change))} ({signed(change(one.lower))} to {signed(change(one.upper))})",
                number(one.ess),
                one.reliability,
            )
            for one in harm.shifts
        ],
        columns=["shift", "mean", harm.metric.label, "change, with its interval", "effective rows", "reliability"],
    )
    yield section(
        f"The shifts that {'move' if harm.worse == 'either' else 'harm'} the {harm.metric.label} most",
        drawn(harm.chart(), harm.title),
        table(harm.size, frame, most=MOST_ROWS),
    )
    yield section("How it moves with each feature", drawn(curves.chart(harm.metric.name), curves.title))


def _scenarios(study: Any, options: ReportOptions, said: list[str]) -> Iterable[str]:
    """Put the scenarios side by side, and say how far each had to move."""
    if not len(options.scenarios):
        return
    found = study.compare_scenarios(options.scenarios)
    said += [words for words in found.notes if not words.startswith(tuple(f"{one.name}: " for one in found.scenarios))]
    by_name = {metric.name: metric for metric in found.metrics}
    frame = found.table
    names = list(dict.fromkeys(frame.columns.get_level_values(0)))
    rows = [
        (
            by_name[str(metric)].label,
            *(
                f"{_written(by_name[str(metric)], cells[name, 'value'])} "
                f"({_interval(by_name[str(metric)], cells[name, 'lower'], cells[name, 'upper'])})"
                for name in names
            ),
        )
        for metric, cells in frame.iterrows()
    ]
    moved = terms([(one.name, where.words) for one, where in zip(found.scenarios, found.populations, strict=True)])
    yield section(
        "Scenarios",
        moved,
        table(f"Each metric, with {share(found.confidence)} intervals", pd.DataFrame(rows, columns=["metric", *names])),
        drawn(found.chart(), found.title),
    )


def _groups(study: Any, options: ReportOptions, said: list[str]) -> Iterable[str]:
    """Write the metrics by group, as tested and under each scenario."""
    if options.by is None:
        return
    stresses: Mapping[str, Any] = {one.name: one for one in options.scenarios}
    at_rest = Mean(study.joint_stress().feature_names[0], shift=0)
    for name, stress in (("as tested", at_rest), *stresses.items()):
        found = study.reweight(stress).by(options.by)
        said += found.notes
        metrics = {metric.name: metric for metric in found.metrics}
        rows = [
            (
                str(one.group),
                f"{one.n_rows:,}",
                metrics[str(one.metric)].label,
                _written(metrics[str(one.metric)], float(one.value)),
                _interval(metrics[str(one.metric)], float(one.lower), float(one.upper)),
                one.reliability,
            )
            for one in found.frame.itertuples()
        ]
        frame = pd.DataFrame(rows, columns=["group", "rows", "metric", "value", "interval", "reliability"])
        yield section(f"By {found.grouped_by}, {name}", drawn(found.chart(), found.title), table(found.title, frame))


def _effects(study: Any, options: ReportOptions, said: list[str]) -> Iterable[str]:
    """Draw the effects of the features named, or of those that move the answer most."""
    if not study.has_model:
        return
    every = study.effects()
    several = len(every.effects[0].computed.effect) > 1
    order = list(every.feature_names if several else every.rank()["feature"])
    said += every.notes
    for name in options.features or order[:MOST_EFFECTS]:
        effect = study.effect(name)
        said += effect.notes
        chart = effect.chart(n_ice=0)
        yield section(f"Effect of {name}", drawn(chart, effect.title), effect_table(effect))


def _row(study: Any, options: ReportOptions, seed: int) -> Iterable[str]:
    """Explain one row: what flips it, and the rules that keep it."""
    if options.row is None:
        return
    results = [study.rules(options.row, random_state=seed)]
    if study.task != "regression":
        results.insert(0, study.boundary(options.row, random_state=seed))
    for result in results:
        words = f"<pre>{escape(legible_text(repr(result)))}</pre>"
        columns = ["feature", "value", "point", "rival"]
        values = table("Values", result.frame[columns]) if columns[-1] in result.frame else ""
        yield section(result.title, words, drawn(result.chart(), result.title, captioned=False), values)


def _limits(said: Sequence[str]) -> str:
    """Say what the report cannot, and what the results noted."""
    lines = dict.fromkeys((*LIMITS, *said))
    return section("Limits", f"<ul>{''.join(f'<li>{escape(legible(line))}</li>' for line in lines)}</ul>")
