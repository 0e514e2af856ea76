"""The numbers of a feature effect: the curve, rows and weight at each point, the individual curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import pandas as pd

from tauscope.effects import ChunkedEffect, Effect, PartialDependence, heterogeneity
from tauscope.errors import InputError, UnknownName
from tauscope.model.response import ResponseKind, response_name, response_names
from tauscope.results.base import Charted, records
from tauscope.results.effects.axis import Axis, tidy
from tauscope.results.effects.spec import EffectKind, EffectSpec
from tauscope.results.effects.text import KINDS, effect_message, extent, source_of_numbers
from tauscope.results.reliability import judge_size, judge_weights

ComputedFrom = Literal["model", "trees", "gradient", "cache"]


@dataclass(frozen=True, repr=False, eq=False)
class EffectNumbers(Charted):
    """What a feature effect holds, and the numbers in it; attributes as in `FeatureEffect`."""

    _spec: EffectSpec
    """The options it was computed with; `kind` is among them."""

    _axes: tuple[Axis, ...]
    """The points of each feature."""

    quantity: ResponseKind
    _classes: tuple[str, ...]
    """The classes the effect is given for; empty for a regression."""

    _computed: Effect
    """The engine's arrays, individual curves and local effects among them."""

    _computed_from: ComputedFrom
    """By calling the model, by reading its trees, from derivatives given, or from answers known before; `method` says
    it in words.
    """

    _call: str
    """What of the model is called: "LogisticRegression.predict_proba"."""

    _extra_notes: tuple[str, ...]
    """What is to be known of the grid and the options; first among the `notes`."""

    _weighted: bool
    """Whether the rows carry weights: the study's sample weight, or a stress."""

    model_name: str
    n_rows: int
    ess: float
    _moved: bool = False
    """Whether it is under a stress of its own (`EffectShift.after`), so that no other stress can be put on it, nor
    its model asked for more.
    """

    @property
    def kind(self) -> EffectKind:
        """Which effect it is."""
        return self._spec.kind

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the one or two features."""
        return tuple(axis.name for axis in self._axes)

    @property
    def response(self) -> str:
        """What is followed: "probability of yes", "prediction"."""
        return response_name(self.quantity, self._classes)

    @property
    def responses(self) -> tuple[str, ...]:
        """What is followed for each class, "probability of yes"; `response` alone for a regression."""
        return response_names(self.quantity, self._classes)

    @property
    def response_kind(self) -> Literal["share", "value"]:
        """Return "share" where every answer lies in [0, 1]."""
        return "share" if self.quantity in ("probability", "predicted label") else "value"

    @property
    def title(self) -> str:
        """Name the effect: "Partial dependence of probability of yes on age"."""
        return f"{KINDS[self.kind]} of {self.response} on {' and '.join(self.feature_names)}"

    @property
    def _chunked(self) -> bool:
        """Whether the rows came in chunks, so that no answer of a single row was kept."""
        return isinstance(self._computed, ChunkedEffect)

    def _check_rows_kept(self, what: str) -> None:
        """Refuse something that needs answers row by row.

        Raises
        ------
        InputError
            Where the rows came in chunks, and went.
        """
        if self._chunked:
            raise InputError(
                f"For {what} individual curves are needed; these rows came in chunks, and none were kept. Use "
                "Study(model, X, y).effect(…) on rows that fit in memory, a sample of them for instance."
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the curve must know."""
        return (*self._extra_notes, *self._computed.notes)

    @property
    def _caption(self) -> str:
        """The title, the model, and how many rows and points."""
        return f"{self.title}, {extent(self)}"

    @property
    def n_model_rows(self) -> int:
        """Rows the model was called on for this effect."""
        return self._computed.n_model_rows

    @property
    def status(self) -> Literal["complete", "stopped"]:
        """Whether every row was reached; `message` says how far a run that was stopped came."""
        return self._computed.status

    @property
    def message(self) -> str:
        """Return "complete", or how far a run that was stopped came and what to do."""
        return effect_message(self)

    @property
    def method(self) -> str:
        """How the numbers were computed, in words."""
        return source_of_numbers(self)

    @property
    def n_trees(self) -> int:
        """Trees the curve was read from; 0 where the model was called."""
        return self._computed.n_trees if isinstance(self._computed, PartialDependence | ChunkedEffect) else 0

    @property
    def _unread(self) -> str:
        """Why trees could not be read and the model was called, in words; "" otherwise."""
        return self._computed.unread if isinstance(self._computed, PartialDependence | ChunkedEffect) else ""

    @property
    def interval(self) -> str:
        """What the interval is, in words."""
        return f"{self._computed.interval.label}{', the weights taken as known' if self._weighted else ''}"

    @property
    def confidence(self) -> float:
        """Level of the interval, in (0, 1)."""
        return self._computed.interval.confidence

    @property
    def random_state(self) -> int | None:
        """Seed of a bootstrap interval; None for the analytic one."""
        return self._computed.seed

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """Level and reason where the weights of the rows make the curve wide or unreliable; empty where they do not."""
        if not self._weighted:
            return ()
        if self._chunked:
            return judge_size(self.ess, 0.0).caveats  # single weights are not known, hence no Pareto k
        return judge_weights(self._computed.sample_weight).caveats

    @property
    def frame(self) -> pd.DataFrame:
        """One row per point: `value`, `effect`, `lower`, `upper` (interval), `n` (rows it averages).

        Of two features `value_1` and `value_2` stand for `value`; for several classes `class` comes first.
        """
        computed = self._computed
        columns = {"effect": computed.effect, "lower": computed.lower, "upper": computed.upper, "n": computed.n}
        return tidy(self._axes, self._classes, columns)

    @property
    def ice(self) -> pd.DataFrame:
        """Individual curves of partial dependence: one row per row of the study (and class), one column per point.

        Raises
        ------
        InputError
            For another kind, two features, or where the curves were not kept.
        """
        self._check_rows_kept("`ice`")
        if not isinstance(self._computed, PartialDependence) or len(self._axes) != 1:
            raise InputError(f"Individual curves are of kind='pd' and one feature; this is {self.kind!r}.")
        curves, rows = self._computed.curves(), pd.Index(self._computed.ice_rows, name="row")
        named = pd.Index(self._axes[0].values, name=self._axes[0].name)
        frames = [pd.DataFrame(curve, index=rows, columns=named) for curve in curves]
        return frames[0] if len(frames) == 1 else pd.concat(frames, keys=self._classes, names=["class"])

    def centred_ice(self, at: object = None) -> pd.DataFrame:
        """Individual curves less each row's own answer at one point, so that they start, or meet, there.

        Parameters
        ----------
        at : number, date or level, optional
            The nearest grid point is taken; by default the first.

        Raises
        ------
        InputError
            As `ice`, and for a point that is none of this feature's.
        """
        curves = self.ice
        return curves.sub(curves.iloc[:, 0 if at is None else self._axes[0].place(at)], axis=0)

    @property
    def heterogeneity(self) -> pd.DataFrame:
        """How far individual curves differ in shape: value, `spread` (standard deviation over rows), `share`.

        Each curve is taken less its own mean over the grid. `share`, the same at each point, is the part of the
        curves' movement that the mean curve does not have: 0 where all are parallel, as in an additive model.

        Raises
        ------
        InputError
            As `ice`.
        """
        self._check_rows_kept("heterogeneity")
        if not isinstance(self._computed, PartialDependence) or len(self._axes) != 1:
            raise InputError(f"Individual curves are of kind='pd' and one feature; this is {self.kind!r}.")
        result = heterogeneity(self._computed)
        share = np.broadcast_to(result.share[:, None], result.spread.shape)
        return tidy(self._axes, self._classes, {"spread": result.spread, "share": share})

    def _output(self, target_class: object = None) -> int:
        """Place of a class among those the effect is given for.

        Raises
        ------
        UnknownName
            For a class that is not there.
        InputError
            Where there are several and none is named.
        """
        if target_class is None:
            if len(self._computed.effect) > 1:
                shown = ", ".join(map(repr, self._classes[:10]))
                raise InputError(f"One class is needed here; the effect is given for {shown}. Name it: target_class=…")
            return 0
        if str(target_class) not in self._classes:
            raise UnknownName.among("class", target_class, self._classes)
        return self._classes.index(str(target_class))

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: how the effect was computed, and its points."""
        return self._described("effect") | {"records": records(self.frame)}

    def _described(self, schema: str) -> dict[str, Any]:
        """Say what was computed, and from what: the head of every document that is about this effect."""
        return {
            "schema": f"tauscope.{schema}",
            "version": 1,
            "model": self.model_name,
            "features": list(self.feature_names),
            "kind": self.kind,
            "response": self.response,
            "classes": list(self._classes),
            "n_rows": self.n_rows,
            "n_model_rows": self.n_model_rows,
            "method": self.method,
            "status": self.message,
            "interval": self.interval,
            "confidence": self.confidence,
            "random_state": self.random_state,
            "weighted": self._weighted,
            "ess": self.ess,
            "notes": list(self.notes),
        }
