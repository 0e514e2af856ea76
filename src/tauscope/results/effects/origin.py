"""What an effect can still ask of the model it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tauscope.effects import BatchOptions, Rows

if TYPE_CHECKING:
    from tauscope.results.effects.effect import FeatureEffect


@dataclass(frozen=True, eq=False)
class EffectOrigin:
    """The model behind an effect and the rows it was asked about.

    Attributes
    ----------
    of_model : callable
        Another model, and whether a bar shows → the same effect of it.
    predict : callable
        Rows in the study's container → the response.
    rows : tauscope.effects.Rows
    drawn : frozenset of int
        Columns that take only values that occur: levels, dates, whole numbers, those with missing values.
    batches : tauscope.effects.BatchOptions
        Batches.
    """

    of_model: Callable[[Any, bool], FeatureEffect]
    predict: Callable[[Any], Any]
    rows: Rows
    drawn: frozenset[int]
    batches: BatchOptions
