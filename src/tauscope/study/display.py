"""How a study shows itself: lines of text, and in a notebook its workspace."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.data import labels
from tauscope.data.sparse import are_sparse
from tauscope.errors import InputError
from tauscope.results.display import TEXT, only_text_is_shown
from tauscope.results.formatting import number, share
from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Bundle = tuple[dict[str, Any], dict[str, Any]] | dict[str, Any] | None


def describe(study: "StudyBase") -> str:
    """Say in two lines what is studied, and what the model does on it; in more what is unusual about its answers."""
    n = len(study._columns)
    rows = f"{count(study.n_rows, 'row')} × {count(n, 'column')} ({_kinds(study)})"
    weighted = "" if study.sample_weight is None else ", weighted"
    drawn = "" if study._random_state is None else f", drawn from ranges with random_state={study._random_state}"
    first = f"Study of {study._model_name} on {rows}{weighted}{drawn}"
    return "\n".join([first, f"{study._task}: {_answers(study)}", *(f"  {note}" for note in study.notes)])


def _kinds(study: "StudyBase") -> str:
    columns = study._columns
    if are_sparse(columns):
        csr = columns.table.csr
        return f"sparse, {share(csr.count_nonzero() / (csr.shape[0] * csr.shape[1]))} not zero"
    kinds = [column.kind for column in columns]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in ("numeric", "boolean", "categorical") if kind in kinds)


def _answers(study: "StudyBase") -> str:
    weight, predicted, truth = study.sample_weight, study.predicted, study._true_values
    if study._task == "regression":
        words = f"mean prediction {number(float(np.average(predicted, weights=weight)))}"
        if truth is None:
            return f"{words}, no y"
        return f"{words}, RMSE {number(float(np.average((truth - predicted) ** 2, weights=weight)) ** 0.5)}"
    names = labels.names(study.classes)
    if study._task == "binary":
        words = f"{share(float(np.average(predicted == 1, weights=weight)))} predicted {names[1]} (the positive class)"
    else:
        words = f"{count(len(names), 'class', 'classes')} ({', '.join(names[:5])}{', …' if len(names) > 5 else ''})"
    if truth is None:
        return f"{words}, no y"
    return f"{words}, error rate {share(float(np.average(truth != predicted, weights=weight)))}"


def mimebundle(study: "StudyBase", shown: Callable[[], Any], include: Any, exclude: Any) -> Any:
    """Return what a notebook shows of a study: `shown`, or text alone, at no cost, where only text is wanted.

    Text alone, too, of sparse rows, whose columns are too many to stress each, and of rows of which nothing can be
    moved, as of one row, with the reason.
    """
    text = describe(study)
    if only_text_is_shown(include) or are_sparse(study._columns):
        return {TEXT: text}
    try:
        bundle = cast(Bundle, shown()._repr_mimebundle_(include=include, exclude=exclude))
    except InputError as error:  # nothing can be moved
        return {TEXT: f"{text}\n  Nothing is drawn: {error}"}
    if not isinstance(bundle, tuple):
        return {**(bundle or {}), TEXT: text}
    data, metadata = bundle
    return {**data, TEXT: text}, metadata
