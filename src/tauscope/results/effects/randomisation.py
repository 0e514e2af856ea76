"""How far a model's curves move, and its score falls, as its parameters are disturbed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from tauscope.effects import Randomisation
from tauscope.model.response import ResponseKind, response_name
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.effects.text import KINDS, stopped_message
from tauscope.results.formatting import number, points, share
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

    from tauscope.results.effects.spec import EffectKind

SCORES = {"accuracy": "accuracy", "r2": "R²"}


@dataclass(frozen=True, repr=False, eq=False)
class RandomizedModel(Charted):
    """Curves of a model whose parameters were disturbed, or which was fitted anew, compared with its own.

    Made by `Study.randomize_model`. Curves that stay where the model has forgotten what it learnt do not describe
    what it learnt.

    Attributes
    ----------
    method : {"layers", "refit"}
    steps : tuple of str
        What was disturbed, last layer first; each step keeps the noise of the one before.
    sigmas : tuple of float
        Standard deviations of the noise; NaN of refits.
    feature_names : tuple of str
    kinds : tuple of {"pd", "cd", "ale", "dale"}
    quantity : {"probability", "score", "predicted label", "value"}
        What of the model's answer is followed; `response` names it.
    classes : tuple of str
    scored_by : {"accuracy", "r2"} or None
        What the models are scored by; None where the study has no truth.
    n_rows : int
        Rows the curves are computed on.
    random_state : int
        The seed.
    model_name : str
    n_model_rows : int
        Rows the model was called on for the curves; scores come on top.

    Examples
    --------
    >>> study.randomize_model(method="refit", repeats=2, grid=5, random_state=0).frame.shape
    (8, 8)
    """

    _computed: Randomisation
    """The engine's arrays."""

    method: Literal["layers", "refit"]
    steps: tuple[str, ...]
    sigmas: tuple[float, ...]
    feature_names: tuple[str, ...]
    kinds: tuple[EffectKind, ...]
    quantity: ResponseKind
    classes: tuple[str, ...]
    scored_by: Literal["accuracy", "r2"] | None
    n_rows: int
    random_state: int
    model_name: str
    n_model_rows: int
    _extra_notes: tuple[str, ...]
    """Which rows the curves are computed on, and what refits learn from."""

    @property
    def title(self) -> str:
        """What was done to what: "MLPClassifier, its layers disturbed"."""
        done = "its layers disturbed" if self.method == "layers" else "fitted anew on rows drawn again"
        return f"{self.model_name}, {done}"

    @property
    def _caption(self) -> str:
        """The title, and how many rows."""
        return f"{self.title}, {count(self.n_rows, 'row')}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which rows the curves are computed on, and what refits learn from."""
        return self._extra_notes

    @property
    def response(self) -> str:
        """What is followed: "probability of yes", "prediction"."""
        return response_name(self.quantity, self.classes)

    @property
    def response_kind(self) -> Literal["share", "value"]:
        """Return "share" where every answer lies in [0, 1]."""
        return "share" if self.quantity in ("probability", "predicted label") else "value"

    @property
    def score_name(self) -> str:
        """What the disturbed models are scored by, in words; "" where the study has no truth."""
        if self.scored_by is None:
            return ""
        return f"{SCORES[self.scored_by]} on the rows left out" if self.method == "refit" else SCORES[self.scored_by]

    @property
    def status(self) -> Literal["complete", "stopped"]:
        """Whether every disturbed model was reached; `message` says how far a run that was stopped came."""
        return self._computed.status

    @property
    def message(self) -> str:
        """Return "complete", or how far a run that was stopped came."""
        return stopped_message(self._computed.n_done, self._computed.n_total, "models")

    @property
    def original_score(self) -> float:
        """Score of the model as it is; NaN where the study has no truth."""
        return self._computed.original_score

    @property
    def frame(self) -> pd.DataFrame:
        """One row per kind, feature, (class,) sigma, step and repeat: `change`, `bound`, `score`.

        `change` is the mean over the grid of |curve - original|, of accumulated effects uncentred; `bound` the same
        mean of Lemma 2's or Theorem 4.5's bound, the largest difference of the two models' answers on these rows, and
        certified for them; `score` that of the disturbed model.
        """
        computed = self._computed
        n_features, q = len(self.feature_names), computed.change.shape[3]
        shape = (len(self.sigmas), len(self.steps), computed.change.shape[1], len(self.kinds), n_features, q)
        change, bound = computed.change.reshape(shape), computed.bound.reshape(shape)
        score = np.broadcast_to(computed.score.reshape(*shape[:3], 1, 1, 1), shape)
        sigma, step, repeat, kind, feature, output = np.indices(shape).reshape(6, -1)
        data: dict[str, object] = {
            "kind": np.array(self.kinds, dtype=object)[kind],
            "feature": np.array(self.feature_names, dtype=object)[feature],
        }
        if q > 1:
            data["class"] = np.array(self.classes, dtype=object)[output]
        data |= {
            "sigma": np.array(self.sigmas)[sigma],
            "step": np.array(self.steps, dtype=object)[step],
            "repeat": repeat,
            "change": change.ravel(),
            "bound": bound.ravel(),
            "score": score.ravel(),
        }
        return pd.DataFrame(data).dropna(subset=["change"], ignore_index=True)

    @property
    def summary(self) -> pd.DataFrame:
        """One row per kind, sigma and step: means over features, classes and repeats, and how far repeats differ.

        Columns: kind, sigma, step, n_layers (disturbed so far; 0 of refits), change, change_sd (over repeats), bound,
        score, repeats.
        """
        frame = self.frame
        keys = ["kind", "sigma", "step"]
        each = frame.groupby([*keys, "repeat"], sort=False, dropna=False)[["change", "bound", "score"]].mean()
        groups = each.groupby(level=keys, sort=False, dropna=False)
        table = groups.mean()
        table.insert(1, "change_sd", groups["change"].std())
        table["repeats"] = groups.size()
        table = table.reset_index()
        table = table.iloc[np.argsort([self.kinds.index(kind) for kind in table["kind"]], kind="stable")]
        table = table.reset_index(drop=True)
        order = {step: place + 1 for place, step in enumerate(self.steps)}
        n_layers = [0 if self.method == "refit" else order[step] for step in table["step"]]
        table.insert(3, "n_layers", n_layers)
        return table

    def chart(self) -> alt.ConcatChart:
        """Draw the mean change of the curves at each step, a line per sigma, and the score at each step.

        Returns
        -------
        altair.ConcatChart
            One panel for each kind of curve and one for the score.

        Notes
        -----
        Shown without a network as the notes of `FeatureEffect.chart` say.
        """
        return show.draw(self)

    def _document(self) -> dict[str, Any]:
        """Return what .json holds: what was disturbed, and how far each curve moved at each step."""
        return {
            "schema": "tauscope.randomized_model",
            "version": 1,
            "model": self.model_name,
            "method": self.method,
            "features": list(self.feature_names),
            "kinds": list(self.kinds),
            "response": self.response,
            "classes": list(self.classes),
            "n_rows": self.n_rows,
            "n_model_rows": self.n_model_rows,
            "random_state": self.random_state,
            "status": self.message,
            "score": self.score_name,
            "original_score": self.original_score,
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def __repr__(self) -> str:
        names = ", ".join(KINDS[kind].lower() for kind in self.kinds)
        n = len(self.feature_names)
        lines = [
            f"{self.title}: {names} of {self.response}, {count(n, 'feature')}, {count(self.n_rows, 'row')}",
            f"  {SCORES[self.scored_by]} {self._scored(self.original_score)} as it is, on all rows"
            if self.scored_by
            else "",
        ]
        for _, row in self.summary.iterrows():
            noise = "" if np.isnan(row["sigma"]) else f"sigma {row['sigma']:g}, "
            score = f", {self.score_name} {self._scored(row['score'])}" if self.score_name else ""
            lines.append(f"  {row['kind']}, {noise}{row['step']}: moved {self._written_change(row['change'])}{score}")
        lines += [] if self.status == "complete" else [f"  {self.message}"]
        return "\n".join([*filter(None, lines), *(f"  {note}" for note in self.notes)])

    def _written_change(self, change: float) -> str:
        return points(change) if self.response_kind == "share" else number(change)

    def _scored(self, score: float) -> str:
        return share(score) if self.scored_by == "accuracy" else number(score)
