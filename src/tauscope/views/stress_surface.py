"""The surface widget: a heat map of two features' means that moves both, alone or linked to other views."""

from typing import Any, cast

import anywidget
import traitlets

from tauscope.results.names import unknown
from tauscope.results.stress_surface import StressSurface
from tauscope.views.bundle import bundle
from tauscope.views.stress_state import StressState, checked_stress, unstressed
from tauscope.views.stress_surface_message import StressSurfaceMessage, stress_surface_wire

STATE = ("stress", "index")
_SCRIPT, _STYLE = bundle("stress_surface")


class StressSurfaceView(anywidget.AnyWidget):
    """A stress surface to move about on: click a cell, or use the arrow keys.

    Parameters
    ----------
    result : StressSurface
        What is shown.
    **traits
        First values of the traits below.

    Attributes
    ----------
    stress : dict
        Which features are moved, the state that views share: {"taus": {name: τ}, "hold": "none"}. The map sets τ of
        its own two features and leaves the others as they are. Default unstressed.
    index : str
        Name of the index shown. By default the first portion of a class, else the first index.
    message : dict
        What is shown, as `tauscope.views.stress_surface_message.StressSurfaceMessage`; not meant to be set.
    answers, population : bytes
        Its numbers, little-endian float32; see there.

    Raises
    ------
    traitlets.TraitError
        For a feature or index that is not there (with the nearest names), or τ outside [-1, 1].
    """

    _esm = _SCRIPT
    _css = _STYLE

    stress = traitlets.Dict(help="which features are moved, how far, and what stays").tag(sync=True, echo_update=False)
    index = traitlets.Unicode(help="name of the index shown").tag(sync=True)
    message = traitlets.Dict(help="what is shown, as StressSurfaceMessage").tag(sync=True)
    answers = traitlets.Bytes(help="float32 [index][first τ][second τ][value, lower, upper]").tag(sync=True)
    population = traitlets.Bytes(help="float32 [first τ][second τ][ess, pareto_k, kl, tv]").tag(sync=True)

    def __init__(self, result: StressSurface, **traits: Any) -> None:
        for name in traits:
            if name not in STATE and name != "layout":
                raise traitlets.TraitError(unknown("argument", name, STATE))
        self.result = result
        traits.setdefault("index", result.leading_index.name)
        traits.setdefault("stress", unstressed())
        super().__init__(**stress_surface_wire(result)._asdict(), **traits)

    @traitlets.validate("stress")
    def _known_stress(self, proposal: dict[str, Any]) -> StressState:
        return checked_stress(proposal["value"], self.result.study_features or self.result.feature_names)

    @traitlets.validate("index")
    def _known_index(self, proposal: dict[str, Any]) -> str:
        message = cast(StressSurfaceMessage, self.message)
        names = [index["name"] for index in message["indices"]]
        if proposal["value"] not in names:
            raise traitlets.TraitError(unknown("index", proposal["value"], names))
        return proposal["value"]

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Add to the widget what other readers can show: a few lines of text."""
        bundled = cast(
            tuple[dict[str, Any], dict[str, Any]] | None,
            super()._repr_mimebundle_(**kwargs),  # pyright: ignore[reportUnknownMemberType]
        )
        if bundled is None:
            return None
        data, metadata = bundled
        return {**data, "text/plain": repr(self.result)}, metadata


class DetachedStressSurfaceView(StressSurfaceView):
    """The surface widget without its line to a browser, for a page that is saved."""

    def open(self) -> None:
        """Open no line."""
