"""Every option of `Study.effect` in one record, changed with `replace`."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from tauscope.model.calls import ResponseMethod
from tauscope.results.formatting import number
from tauscope.weights.seeds import RandomState

EffectKind = Literal["pd", "cd", "ale", "dale"]
Spacing = Literal["quantile", "equidistant"]
EffectInterval = Literal["analytic", "bootstrap"]
EffectMethod = Literal["auto", "brute"]

MOST_POINTS = 50
ICE_BYTES = 2**28


@dataclass(frozen=True, eq=False)
class EffectSpec:
    """The options of an effect; `Study.effect` documents each.

    Those of a `FeatureEffect` are as the study read them: the features by name, the points of a grid in a tuple, the
    derivatives as numbers, the seed of a bootstrap. They hold no function of the user's.

    Attributes
    ----------
    feature : name, position, or two of them
        Of an effect that was computed a tuple of names.
    kind : {"pd", "cd", "ale", "dale"}
    grid : int or sequence
    spacing : {"quantile", "equidistant"}
    response_method : {"auto", "predict_proba", "decision_function", "predict"}
    target_class : label or None
    window : float or None
    n_neighbors : int or None
    gradient : array, callable or None
        Of an effect that was computed an array of shape (n_rows,) or (n_rows, n_classes), or None.
    step : float or None
    interval : {"analytic", "bootstrap"}
    confidence : float
    random_state : int, Generator or None
        Of an effect that was computed the seed of its bootstrap, or None.
    ice_bytes : int
    method : {"auto", "brute"}
    """

    feature: str | int | Sequence[str | int]
    kind: EffectKind = "pd"
    grid: Any = MOST_POINTS
    spacing: Spacing = "quantile"
    response_method: ResponseMethod = "auto"
    target_class: Hashable | None = None
    window: float | None = None
    n_neighbors: int | None = None
    gradient: Any = None
    step: float | None = None
    interval: EffectInterval = "analytic"
    confidence: float = 0.95
    random_state: RandomState = None
    ice_bytes: int = ICE_BYTES
    method: EffectMethod = "auto"

    def carried_to(self, features: Sequence[str], kind: EffectKind) -> tuple[EffectSpec, tuple[str, ...]]:
        """Ask the same of other features, or of another kind.

        Every option goes along that means the same there. A window and a step are in the unit of their feature, as
        derivatives are along it: another feature gets the default instead, and a note that says so.

        Parameters
        ----------
        features : sequence of str
        kind : {"pd", "cd", "ale", "dale"}

        Returns
        -------
        spec : EffectSpec
        notes : tuple of str
            What was left behind.
        """
        same = self.feature == tuple(features)
        conditional, derivative = kind == "cd", kind == "dale"
        spec = replace(
            self,
            feature=tuple(features),
            kind=kind,
            grid=self.grid if same or isinstance(self.grid, int) else MOST_POINTS,
            window=self.window if conditional and same else None,
            n_neighbors=self.n_neighbors if conditional else None,
            gradient=self.gradient if derivative and same else None,
            step=self.step if derivative and same else None,
        )
        return spec, () if same else tuple(self._notes_on_defaults(conditional, derivative))

    def _notes_on_defaults(self, conditional: bool, derivative: bool) -> list[str]:
        """Say which options of this kind belong to the feature they were given for."""
        names = (self.feature,) if isinstance(self.feature, str | int) else self.feature
        of_feature = " and ".join(map(str, names))
        notes: list[str] = []
        if conditional and self.window is not None:
            notes.append(
                f"window={number(self.window)} is in the unit of {of_feature}; "
                "here it is the default, 1/18 of the range"
            )
        if derivative and self.step is not None:
            notes.append(
                f"step={number(self.step)} is in the unit of {of_feature}; here it is the default, 1e-4 of the range"
            )
        if derivative and self.gradient is not None:
            notes.append(f"the derivatives given are along {of_feature}; here differences are taken over a small step")
        return notes
