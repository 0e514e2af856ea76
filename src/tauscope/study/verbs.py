"""What a verb sees of the study that it is asked of, wherever the rows are."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tauscope.model.calls import Model
    from tauscope.results.base import Source
    from tauscope.results.stress.other_population import Target
    from tauscope.rows.rows import Rows
    from tauscope.study.functions import FunctionRegistry
    from tauscope.study.stress.target import NewRows, Way


class Asked(Protocol):
    """`tauscope.Study` or `tauscope.ChunkedStudy`."""

    @property
    def n_rows(self) -> int: ...
    @property
    def model_name(self) -> str: ...
    @property
    def feature_names(self) -> tuple[str, ...]: ...
    @property
    def functions(self) -> FunctionRegistry: ...
    @property
    def classes(self) -> tuple[Hashable, ...]: ...
    @property
    def _asked_model(self) -> Model | None: ...

    def _as_rows(self) -> Rows: ...
    def as_source(self) -> Source: ...
    def _bars(self, progress: bool) -> AbstractContextManager[None]: ...
    def _check_new_rows(self, X: Any) -> None: ...
    def _read_target(self, given: NewRows) -> Target: ...
    def _approach(self, target: Target, amount: float, price: float | None) -> Way: ...
