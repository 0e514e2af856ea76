"""What a verb sees of the study that it is asked of, wherever the rows are."""

# What a protocol lists is described where it is.
# ruff: noqa: D102

from __future__ import annotations

from collections.abc import Hashable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tauscope.model.calls import Model, ResponseMethod
    from tauscope.model.response import Response
    from tauscope.results.stress.other_population import Target
    from tauscope.rows.rows import Pair, Rows
    from tauscope.stress.images import PixelCounts
    from tauscope.stress.metrics import Quantities
    from tauscope.stress.outcomes import Outcomes, Task
    from tauscope.study.base import StudyBase
    from tauscope.study.functions import FunctionRegistry
    from tauscope.study.stress.towards.target import NewRows, Way
    from tauscope.study.study import Study


class Images(Protocol):
    """Images of one shape, with what the model said of them.

    Attributes
    ----------
    sizes : tuple of int
    outcomes : Outcomes
        Of each image, or of each outcome that images are counted by.
    """

    @property
    def sizes(self) -> tuple[int, ...]: ...
    @property
    def outcomes(self) -> Outcomes: ...

    def counts(self, collected: Quantities) -> PixelCounts | None:
        """Return the images counted by the value of each pixel and a cell; None where values are too many."""
        ...


class AskedForCurves(Protocol):
    """`tauscope.Study`, `tauscope.ChunkedStudy` or `tauscope.StressSketch`."""

    @property
    def n_rows(self) -> int: ...
    @property
    def classes(self) -> tuple[Hashable, ...]: ...
    @property
    def feature_names(self) -> tuple[str, ...]: ...
    @property
    def _model_name(self) -> str: ...
    @property
    def _task(self) -> Task: ...
    @property
    def _notes(self) -> tuple[str, ...]: ...

    def _as_rows(self, *, ordered: bool = False) -> Rows: ...
    def _as_source(self) -> Study: ...
    def _bars(self, progress: bool) -> AbstractContextManager[None]: ...
    def _check_options(self, verb: str, **options: Any) -> None: ...


class Asked(AskedForCurves, Protocol):
    """`tauscope.Study` or `tauscope.ChunkedStudy`."""

    @property
    def _shows_progress(self) -> bool: ...
    @property
    def _functions(self) -> FunctionRegistry: ...
    @property
    def _asked_model(self) -> Model | None: ...

    def _as_outline(self) -> StudyBase: ...
    def _images_of(self, shape: object) -> Images: ...
    def _check_effect(self) -> None: ...
    def _response(self, response_method: ResponseMethod, target_class: Hashable | None) -> Response: ...
    def _pair_with(self, second: Any) -> Pair: ...
    def _check_new_rows(self, X: Any) -> None: ...
    def _read_target(self, given: NewRows) -> Target: ...
    def _approach(self, target: Target, amount: float, price: float | None) -> Way: ...
