"""What a report is asked for, and what its sections share: one study, one seed, curves computed once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tauscope.errors import InputError, InputTypeError, place_of
from tauscope.results.stress.curves import StressCurves
from tauscope.results.stress.harm import StressHarm
from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.scenario import Scenario
from tauscope.results.stress.towards import TargetPopulation
from tauscope.stress.metrics import Metric
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.results.base import Study
    from tauscope.results.stress.comparison import ModelComparison


@dataclass(frozen=True)
class ReportOptions:
    """What a report is asked for, and what its author has to say; see `Study.report`."""

    scenarios: Sequence[Scenario] = ()
    by: Any = None
    features: Sequence[str] | None = None
    row: int | None = None
    towards: Any = None
    beside: ModelComparison | None = None
    author: str = ""
    purpose: str = ""
    notes: str = ""
    random_state: RandomState = 0


class Audit:
    """A study and what is asked of it.

    Parameters
    ----------
    study : Study
    options : ReportOptions
    """

    def __init__(self, study: Study, options: ReportOptions) -> None:
        self.study = study
        self.options = options
        self.seed = seed_of(options.random_state)

    def check(self) -> None:
        """Refuse what could not be in the report before anything is computed.

        Raises
        ------
        InputError, InputTypeError, UnknownName
        """
        options, study = self.options, self.study
        for name in ("author", "purpose", "notes"):
            value = getattr(options, name)
            if not isinstance(value, str):
                raise InputTypeError(f"{name} must be text; got {type(value).__name__}. Leave it out, or give a str.")
        row, n_rows = options.row, study.n_rows
        if row is not None and not 0 <= row < n_rows:
            raise InputError(f"row must be a position between 0 and {n_rows - 1:,}; got {row}.")
        for name in options.features or ():
            place_of("feature", name, study.feature_names)
        if (options.features or row is not None) and not study._has_model:
            study._require_model("has effects" if options.features else "can be asked about a row")
        self._check_towards()

    def _check_towards(self) -> None:
        towards = self.options.towards
        if towards is None:
            return
        if not isinstance(towards, TargetPopulation):
            raise InputTypeError(
                f"towards is what study.towards(…) gives; got {type(towards).__name__}. Try study.towards(new_rows)."
            )
        towards._check_usable(self.study.n_rows)

    @cached_property
    def joint(self) -> JointStress:
        """Every metric as tested."""
        return self.study.joint_stress()

    @cached_property
    def curves(self) -> StressCurves:
        """Every feature moved by itself."""
        return self.study.stress_curves()

    @cached_property
    def harm(self) -> StressHarm:
        """The shifts of one distance, the worst first."""
        return self.curves.harm()

    @property
    def metric(self) -> Metric:
        """The metric that answers are given in."""
        return self.harm.metric
