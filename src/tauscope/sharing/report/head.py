"""The head of a report: what is predicted, by what, on which rows, who says so, and how it is made again."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.data import labels
from tauscope.figures.labels import legible
from tauscope.results.formatting import share
from tauscope.sharing.about import versions
from tauscope.sharing.report.audit import Audit
from tauscope.sharing.report.section import code_html
from tauscope.sharing.sections import section, terms
from tauscope.views.workspace.message import predicted_target

if TYPE_CHECKING:
    from tauscope.results.base import Study

MOST_LEVELS = 12
MOST_COLUMNS = 30
GIVEN = ("features", "row", "author", "purpose", "notes")


def head_html(audit: Audit, file: str) -> str:
    """Write the model card and how the report is made again."""
    study, options = audit.study, audit.options
    lines: tuple[tuple[str, str], ...] = (
        ("Purpose", options.purpose),
        ("Author", options.author),
        ("Notes", options.notes),
        ("Predicted", predicted_target(study)),
        ("Model", study._model_name),
        ("Parameters", _parameters(study)),
        ("Task", study._task),
        ("Classes", _classes(study)),
        ("Rows", f"{study.n_rows:,}{'' if study.sample_weight is None else ', weighted'}"),
        ("Columns", f"{len(study.feature_names)}: {', '.join(_columns(study))}"),
        ("Data", f"SHA-256 {study.data_hash}"),
        ("Seed", str(audit.seed)),
        ("Made", f"{date.today().isoformat()}, with {versions(study)}"),
    )
    card = terms([(term, legible_text(words)) for term, words in lines])
    return section("What this is", card, "<h3>To make it again</h3>", code_html(code_of(audit, file)))


def code_of(audit: Audit, file: str) -> str:
    """Write the call that makes the report, where the study is named `study`; what has no literal is `…`."""
    options = audit.options
    said = [repr(file)]
    if len(options.scenarios):
        said.append(f"scenarios=[{', '.join(map(repr, options.scenarios))}]")
    if options.by is not None:
        several = isinstance(options.by, list | tuple)
        names = cast(list[Any], options.by) if several else [options.by]
        named = all(isinstance(one, str | int) for one in names)
        said.append(f"by={names if several else names[0]!r}" if named else "by=…")
    said += [f"{name}={getattr(options, name)!r}" for name in GIVEN if getattr(options, name) not in (None, "")]
    said += ["towards=…"] * (options.towards is not None) + ["beside=…"] * (options.beside is not None)
    lines = ",\n    ".join([*said, f"random_state={audit.seed}"])
    return (
        f"import tauscope as ts\n\nassert study.data_hash == {audit.study.data_hash!r}\nstudy.report(\n    {lines},\n)"
    )


def legible_text(words: str) -> str:
    """Return text with its lines kept, as it can be shown."""
    # without the marks that keep a chart from reading "<": here every word is escaped, and may be copied
    return "\n".join(legible(line).replace("\u2060", "") for line in words.splitlines())


def _parameters(study: Study) -> str:
    """Return what the estimator was made with, where it is one; for a pipeline those of its last step."""
    if not study._has_model:
        return ""
    model = study._require_model("has parameters").model
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


def _columns(study: Study) -> list[str]:
    names = list(study.feature_names)
    more = len(names) - MOST_COLUMNS
    return names if more <= 0 else [*names[:MOST_COLUMNS], f"and {more:,} more"]


def _classes(study: Study) -> str:
    """Name the classes, with the share of the rows that are so and that are predicted so."""
    if study._task == "regression":
        return ""
    weight = np.ones(study.n_rows) if study.sample_weight is None else study.sample_weight
    names, truth = labels.names(study.classes), study._true_values
    words: list[str] = []
    for code, name in enumerate(names[:MOST_LEVELS]):
        predicted = share(float(weight[study.predicted == code].sum() / weight.sum()))
        true = "" if truth is None else share(float(weight[truth == code].sum() / weight.sum()))
        words.append(f"{name}: {true + ' of the rows, ' if true else ''}{predicted} predicted")
    more = len(study.classes) - MOST_LEVELS
    return "\n".join([*words, f"and {more} more"] if more > 0 else words)
