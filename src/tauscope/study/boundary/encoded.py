"""A study measured in a space of a person's own: rows as codes, and a model that is asked about decoded codes."""

# Decided in docs/decisions/0052-a-space-of-ones-own-is-a-study-of-codes.md.

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tauscope.arguments import describe
from tauscope.errors import InputError, InputTypeError
from tauscope.weights.arrays import Floats
from tauscope.words import agree, count

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase

Coder = Callable[[Any], Any]
METHODS = ("predict", "predict_proba", "decision_function")


class DecodedModel:
    """A model of rows that is asked about codes.

    Parameters
    ----------
    model : fitted estimator
    decode : callable
        Takes codes (m, k); returns rows as the model takes them.
    """

    def __init__(self, model: Any, decode: Coder) -> None:
        self._model, self._decode = model, decode

    def __getattr__(self, name: str) -> Any:
        if name == "classes_":
            return self._model.classes_
        if name in METHODS:
            return partial(_of_decoded, getattr(self._model, name), self._decode)
        raise AttributeError(name)


def _of_decoded(answer: Callable[[Any], Any], decode: Coder, codes: Any) -> Any:
    return answer(decode(codes))


def encoded_study(study: StudyBase, encode: Coder, decode: Coder, attributes: Sequence[str] | None) -> StudyBase:
    """Return a study of the codes of a study's rows.

    Parameters
    ----------
    study : Study
    encode : callable
        Takes the study's rows; returns codes (n_rows, k).
    decode : callable
        As of `DecodedModel`; it is asked once about the codes of all rows.
    attributes : sequence of str or None
        Names of the k columns of codes.

    Raises
    ------
    InputError, InputTypeError
        For codes that are no table of numbers, or names of another number.
    """
    model = study._require_model("has boundaries")
    codes = read_codes(encode(study.X), study.n_rows)
    names = [f"code {j + 1}" for j in range(codes.shape[1])] if attributes is None else list(attributes)
    asked: Any = model.model
    decoded = DecodedModel(asked, decode) if hasattr(asked, "predict") else partial(_of_decoded, asked, decode)
    regression = study._task == "regression"
    made = cast(Any, type(study))(
        decoded,
        codes,
        study.y,
        sample_weight=study.sample_weight,
        response_method=model._response_method,
        pos_label=None if regression else study._pos_label,
        classes=None if regression else study.classes,
        task=study._task,
        feature_names=names,
        batch_rows=model.batch_rows,
        progress=model.shows_progress,
    )
    made._model_name = made._model.name = study._model_name
    return made


def read_codes(codes: Any, n_rows: int) -> Floats:
    """Return codes as a table of numbers, one row for each of the rows encoded."""
    try:
        table = np.asarray(codes, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(
            f"encode must return numbers; got {describe(codes)}. Return an array (n_rows, k)."
        ) from None
    if table.ndim != 2 or len(table) != n_rows or not np.isfinite(table).all():
        raise InputError(
            f"encode must return a finite number for each of {count(n_rows, 'row')} and each code; got "
            f"{describe(codes)}. Return an array of shape ({n_rows}, k)."
        )
    return table


def decoding_note(study: StudyBase, encoded: StudyBase) -> str:
    """Say how many rows the model decides otherwise once they were encoded and decoded; "" for none."""
    if study._task == "regression":
        return ""
    n = int(np.count_nonzero(np.asarray(study.predicted) != np.asarray(encoded.predicted)))
    lost = f"{n:,} of {count(study.n_rows, 'row')} {agree(n, 'is', 'are')} decided otherwise once encoded and decoded"
    return f"{lost}: what decode loses, no direction has" if n else ""
