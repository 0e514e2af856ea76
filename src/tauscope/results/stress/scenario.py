"""A stress with a name: which features are moved, how far, and what stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypedDict

from tauscope.arguments import checks_arguments, describe
from tauscope.data.columns import Column, is_name, name_of
from tauscope.data.features import features_by_name
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.results.stress.numbers.joint_moments import JointHold, check_joint

LONGEST = 80
"""Characters of a name."""


class StressState(TypedDict):
    """Which features are moved, how far, and what stays meanwhile.

    `taus` has τ in [-1, 1] by feature name, only those that are not 0; unstressed it is empty and `hold` "none".
    """

    taus: dict[str, float]
    hold: JointHold


@checks_arguments
@dataclass(frozen=True, repr=False)
class Scenario:
    """A population with a name: the features that are moved, how far, and what stays meanwhile.

    What the sliders of a view are at, as a value to keep: wherever a stress is taken, as by `Study.reweight`,
    `Study.under` and `JointStress.at`, a scenario is too. It means the same there as the sliders do.

    Parameters
    ----------
    name : str
        One line of 1 to 80 characters: "recession".
    taus : mapping of str or int to float
        τ in [-1, 1] by feature, "age" or "sex = Female", or by a column's position; at least one, none of them 0.
    hold : {"none", "means", "uncorrelated"}, default "none"
        What stays of the other features, as in `JointStress.at`.

    Raises
    ------
    InputError, InputTypeError
        For anything else; says the rule, the value received and the next step. Whether a feature is there, the study
        says that is asked.

    Examples
    --------
    >>> larger = ts.Scenario("larger tumours", {"mean radius": 0.3})
    >>> larger
    ts.Scenario('larger tumours', {'mean radius': 0.3})
    >>> round(study.reweight(larger).ess)
    210
    """

    name: str
    taus: Mapping[Any, float]  # a mapping of str alone would be none of str or int
    hold: JointHold = "none"

    def __post_init__(self) -> None:
        _check_name(self.name)
        for feature in dict[Any, Any](self.taus):
            if not is_name(feature):
                raise InputTypeError(
                    f"taus has τ by the name of a feature; got {describe(feature)}. Try {{'age': 0.5}}."
                )
        if not self.taus:
            raise InputError("A scenario moves at least one feature; got none. Try ts.Scenario('older', {'age': 0.5}).")
        check_joint(self.taus, self.hold)
        unmoved = [feature for feature, tau in self.taus.items() if tau == 0]
        if unmoved:
            raise InputError(
                f"τ of {unmoved[0]!r} must not be 0: a scenario says what is moved. Leave it out; hold='means' keeps "
                "the means of all others."
            )
        taus = {one if isinstance(one, str) else int(one): float(tau) for one, tau in self.taus.items()}
        object.__setattr__(self, "taus", MappingProxyType(taus))

    @property
    def stress(self) -> StressState:
        """What views share as their trait `stress`: {"taus": {feature: τ}, "hold": …}, the caller's to change."""
        return {"taus": dict(self.taus), "hold": self.hold}

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.taus.items()), self.hold))

    def __reduce__(self) -> tuple[Any, ...]:
        return Scenario, (self.name, dict(self.taus), self.hold)

    def __repr__(self) -> str:
        hold = "" if self.hold == "none" else f", hold={self.hold!r}"
        return f"ts.Scenario({self.name!r}, {dict(self.taus)!r}{hold})"


def named_taus(taus: Mapping[Any, float], names: Sequence[str]) -> dict[str, float]:
    """Return τ by names of features, where a whole number means the column that it names or is the position of.

    Raises
    ------
    UnknownName
        For a number that is neither.
    InputError, InputTypeError
        For a feature given twice, and for what is neither name nor number.
    """
    named = [name_of(feature, names) for feature in taus]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise InputError(f"taus has one τ for each feature; got two of {twice!r}. Leave out one.")
    return dict(zip(named, taus.values(), strict=True))


def with_features_named(scenario: Scenario, names: Sequence[str]) -> Scenario:
    """Return a scenario that names its features as the columns are named; itself where it does."""
    if all(isinstance(feature, str) for feature in scenario.taus):
        return scenario
    return replace(scenario, taus=named_taus(scenario.taus, names))


def named_features(scenario: Scenario, columns: Sequence[Column]) -> list[str]:
    """Return the features of a scenario in the order of the columns.

    Raises
    ------
    UnknownName
        For one that is not there, with the nearest names.
    """
    known = features_by_name(columns)
    for name in scenario.taus:
        if name not in known:
            raise UnknownName.among("feature", name, list(known))
    return [name for name in known if name in scenario.taus]


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise InputError(
            f"The name of a scenario must be one line of 1 to {LONGEST} characters that can be seen; got "
            f"{describe(name)}. Try 'recession'."
        )
