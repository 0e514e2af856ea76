"""The verbs of scenarios: populations with names, put side by side and kept in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tauscope.errors import InputError
from tauscope.results.files import replacing
from tauscope.results.stress.joint import JointStress
from tauscope.results.stress.reweight import Reweighting
from tauscope.results.stress.scenario import Scenario, with_features_named
from tauscope.results.stress.scenario_file import (
    check_scenarios,
    read_scenarios,
    scenarios_document,
    scenarios_text,
)
from tauscope.results.stress.scenarios import AS_TESTED, ScenarioComparison, comparison_frame, scenario_population
from tauscope.study.stress.joint import joint_stress
from tauscope.study.stress.reweight import reweight
from tauscope.weights.measures import effective_size

if TYPE_CHECKING:
    from tauscope.study.base import StudyBase


def compare_scenarios(
    self: StudyBase,
    scenarios: Sequence[Scenario],
    *,
    quantile: float = 0.05,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
) -> ScenarioComparison:
    """Put scenarios side by side: every metric as tested and under each.

    Parameters
    ----------
    scenarios : sequence of Scenario
        At least one, each of a name of its own other than "as tested".
    quantile : float, default 0.05
        Probability in (0, 0.5): τ = -1 and τ = +1 stand for the `quantile` and 1 - `quantile` quantiles.
    confidence : float, default 0.95
        Level of the intervals, in (0, 1).
    metrics : str, or several, optional
        Names such as "error_rate". By default those of the task.

    Returns
    -------
    ScenarioComparison
        The numbers of `reweight` of each scenario, in `.table` a row for each metric; `.chart()`.

    Raises
    ------
    InfeasibleTarget, DependentConstraints
        As `reweight`, for the first scenario that no weights on these rows meet; its name stands in front.
    UnknownName
        For a feature or metric that is not there, with the nearest names.
    InputError, InputTypeError
        For no scenario, two of one name, what is none, or a number out of its range.

    Examples
    --------
    >>> larger = ts.Scenario("larger", {"mean radius": 0.2})
    >>> study.compare_scenarios([larger], metrics="error_rate").table.columns.tolist()[:2]
    [('as tested', 'value'), ('as tested', 'lower')]
    """
    check_scenarios(scenarios)
    if AS_TESTED in [scenario.name for scenario in scenarios]:
        raise InputError(f"{AS_TESTED!r} names the population without a scenario. Rename the scenario of that name.")
    scenarios = [with_features_named(scenario, self.feature_names) for scenario in scenarios]
    named = sorted({name for scenario in scenarios for name in scenario.taus})
    joint = joint_stress(self, named, quantile=quantile, confidence=confidence, metrics=metrics)
    solved = [(one, _solve(self, one, joint)) for one in scenarios]
    weights = self.sample_weight
    n_effective = float(self.n_rows) if weights is None else effective_size(weights)
    return ScenarioComparison(
        scenarios=tuple(scenarios),
        populations=tuple(scenario_population(found) for _, found in solved),
        metrics=joint.metrics,
        quantile=joint.quantile,
        confidence=joint.confidence,
        n_rows=self.n_rows,
        model_name=self._model_name,
        _frame=comparison_frame(joint.metrics, joint.unstressed, n_effective, solved),
        source=self._as_source(),
    )


def _solve(study: StudyBase, scenario: Scenario, joint: JointStress) -> Reweighting:
    """Reweight for one scenario; an error says which it was."""
    try:
        return reweight(
            study, scenario, quantile=joint.quantile, confidence=joint.confidence, metrics=joint.metric_names
        )
    except InputError as error:
        raise type(error)(f"Scenario {scenario.name!r}: {error}") from None


def save_scenarios(self: StudyBase, path: str | Path, scenarios: Sequence[Scenario]) -> None:
    """Write scenarios to a JSON file that says of which data they are.

    Parameters
    ----------
    path : str or Path
        .json.
    scenarios : sequence of Scenario
        At least one, each of a name of its own.

    Raises
    ------
    UnknownName
        For a feature that is not there, with the nearest names.
    InputError, InputTypeError
        For another ending, no scenario, two of one name, or what is none.

    Notes
    -----
    The file has `schema`, `version`, the day, `data` (the hash of `Study.data_hash`, number of rows, names of the
    columns), `seed` of rows that were drawn, versions of `packages`, and of each scenario `name`, `taus`, `hold`, and
    the `means` that its τ stand for, before and after, in the feature's unit. No row is in it.

    Examples
    --------
    >>> study.save_scenarios("scenarios.json", [ts.Scenario("larger", {"mean radius": 0.5})])
    >>> study.load_scenarios("scenarios.json")
    (ts.Scenario('larger', {'mean radius': 0.5}),)
    """
    path = _json(path)
    text = scenarios_text(scenarios_document(self._as_source(), scenarios))
    with replacing(path) as beside:
        beside.write_bytes(text)


def load_scenarios(self: StudyBase, path: str | Path, *, check_data: bool = True) -> tuple[Scenario, ...]:
    """Read scenarios that `save_scenarios` wrote.

    Parameters
    ----------
    path : str or Path
        .json.
    check_data : bool, default True
        Whether they have to be of this study's data, by `Study.data_hash`; False takes them by the names of their
        features, whose τ then stand for means of these rows.

    Returns
    -------
    tuple of Scenario

    Raises
    ------
    UnknownName
        For a feature that is not there, with the nearest names.
    InputError, InputTypeError
        For a file of another kind or version, other data, or what is no scenario; each says what to do.
    FileNotFoundError

    Examples
    --------
    >>> study.save_scenarios("scenarios.json", [ts.Scenario("larger", {"mean radius": 0.5})])
    >>> study.where(X_test["mean texture"] > 15).load_scenarios("scenarios.json", check_data=False)
    (ts.Scenario('larger', {'mean radius': 0.5}),)
    """
    path = _json(path)
    return read_scenarios(self._as_source(), path.read_bytes(), path.name, check_data=check_data)


def _json(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix.lower() != ".json":
        raise InputError(f"Scenarios are in a .json file; got {path.name!r}. Use 'scenarios.json'.")
    return path
