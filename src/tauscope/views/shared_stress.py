"""The stress that views share: one small dictionary, the same in every view and in the page."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, cast, get_args

import traitlets

from tauscope.results.stress.numbers.joint_moments import JointHold
from tauscope.results.stress.scenario import StressState

HOLDS: tuple[JointHold, ...] = get_args(JointHold)


def unstressed() -> StressState:
    """Return the stress that moves nothing."""
    return {"taus": {}, "hold": "none"}


def check_stress(value: object) -> StressState:
    """Check the form of a stress that a trait is to be set to, whatever its features, and leave out what is not moved.

    Parameters
    ----------
    value : object
        {"taus": {name: τ, …}, "hold": "none" | "means" | "uncorrelated"}; either key may be left out.

    Returns
    -------
    StressState

    Raises
    ------
    traitlets.TraitError
        For anything else; says the rule and the value received.
    """
    if not isinstance(value, Mapping):
        raise traitlets.TraitError(f"A stress is {{'taus': {{feature: τ}}, 'hold': 'none'}}; got {value!r:.80}.")
    fields = cast(Mapping[Any, Any], value)
    strange = [key for key in fields if key not in ("taus", "hold")]
    if strange:
        raise traitlets.TraitError(f"A stress has the keys 'taus' and 'hold'; got {strange[0]!r}.")
    hold = fields.get("hold", "none")
    if hold not in HOLDS:
        raise traitlets.TraitError(f"hold must be one of {', '.join(HOLDS)}; got {hold!r}.")
    taus = fields.get("taus", {})
    if not isinstance(taus, Mapping):
        raise traitlets.TraitError(f"taus must be τ by feature, such as {{'age': 0.5}}; got {taus!r:.80}.")
    moved: dict[str, float] = {}
    for name, tau in cast(Mapping[Any, Any], taus).items():
        if not isinstance(name, str):
            raise traitlets.TraitError(f"taus must be τ by the name of a feature; got the name {name!r:.80}.")
        if isinstance(tau, bool) or not isinstance(tau, Real) or not -1 <= float(tau) <= 1:
            raise traitlets.TraitError(f"τ of {name!r} must be a number in [-1, 1]; got {tau!r}.")
        if float(tau) != 0:
            moved[name] = float(tau)
    return {"taus": moved, "hold": hold}
