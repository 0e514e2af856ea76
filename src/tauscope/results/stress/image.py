"""What each pixel's brightness does to a classifier: maps along τ, one for each class and rate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tauscope.model import progress_bar
from tauscope.results import show
from tauscope.results.base import Charted, records
from tauscope.results.formatting import points
from tauscope.results.reliability import UNRELIABLE, levels
from tauscope.results.stress.numbers.frame import curve_columns
from tauscope.results.stress.numbers.metrics import WithMetrics
from tauscope.results.stress.numbers.taus import tau_grid
from tauscope.stress.column.two_values import ODDS
from tauscope.stress.curves import Curves
from tauscope.stress.images import PixelCounts, image_curves
from tauscope.stress.metrics import Metric, SummedMetric
from tauscope.stress.outcomes import Task
from tauscope.words import agree, count

if TYPE_CHECKING:
    import altair as alt


ARRAYS = ("target", "value", "lower", "upper", "reason", "amount", "ess", "pareto_k", "kl", "tv")
CONSTANT = "the pixel has one value in every image"


@dataclass(frozen=True, repr=False, eq=False)
class StressImage(WithMetrics, Charted):
    """Every metric of a classifier along τ, for every pixel.

    Made by `Study.stress_image`, or by `ChunkedStudy.stress_image` from images that come in chunks.

    Attributes
    ----------
    shape : tuple of int
        (height, width) or (height, width, channels) of an image.
    quantile : float
        τ = -1 and τ = +1 stand for a pixel's `quantile` and 1 - `quantile` quantiles, widened where these do not lie
        past its mean; of two values of which one is rare, for four times its odds.
    confidence : float
        Level of the intervals, in (0, 1).
    n_rows : int
        Images.
    model_name : str
    task : {"binary", "multiclass"}
    progress : bool
        Whether a bar shows after two seconds when more is computed.

    Examples
    --------
    >>> study.stress_image((2, 2), taus=3, metrics="error_rate").map("error_rate").round(3)
    array([[0.003, 0.048],
           [0.059, 0.034]])
    """

    shape: tuple[int, ...]
    _curves: Curves
    """The engine's arrays, one row per pixel in C order; NaN for pixels that have one value only."""

    quantile: float
    confidence: float
    n_rows: int
    model_name: str
    task: Task
    _counts: PixelCounts | None = None
    """Images by value and outcome for every pixel, of which all τ follow; None where pixels have more than 256
    values, or the images weights."""

    progress: bool = True

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        return self._curves.metrics

    @property
    def taus(self) -> NDArray[np.float64]:
        """The grid, ascending, with 0 in it."""
        return self._curves.taus

    @property
    def constant(self) -> NDArray[np.bool_]:
        """Pixels that no stress can move, in the shape of an image."""
        return np.isnan(self._curves.ess[:, 0]).reshape(self.shape)

    @property
    def title(self) -> str:
        """Which model: "Stress image of LogisticRegression"."""
        return f"Stress image of {self.model_name}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}, {count(self.n_rows, 'image')}"

    def at(self, taus: int | Sequence[float] | NDArray[np.floating]) -> StressImage:
        """Compute the same maps, exactly, at other τ; no image is read again where they were counted.

        Parameters
        ----------
        taus : int or sequence of float
            As in `Study.stress_image`: an odd number of steps, or values in [-1, 1]; 0 is always among them.

        Returns
        -------
        StressImage

        Raises
        ------
        InputError
            For τ outside [-1, 1].
        """
        grid = tau_grid(taus)
        if np.array_equal(grid, self.taus):
            return self
        options: dict[str, Any] = {"quantile": self.quantile, "confidence": self.confidence, "progress": self.progress}
        if self._counts is not None:
            return replace(self, _curves=compute_pixel_curves(self._counts, self._curves.metrics, grid, **options))
        ask = self._require_source().stress_image
        return replace(self, _curves=ask(self.shape, taus=grid.tolist(), metrics=self.metric_names, **options)._curves)

    def map(self, metric: str, low: float = -1, high: float = 1) -> NDArray[np.float64]:
        """Return how far a metric moves for each pixel, in the shape of an image.

        Parameters
        ----------
        metric : str
            One of `metric_names`.
        low, high : float
            τ in [-1, 1]; computed exactly where they are not on the grid.

        Returns
        -------
        ndarray of shape `shape`
            value(high) - value(low); NaN for pixels that have one value only.

        References
        ----------
        Bachoc et al., "Explaining machine learning models using entropic variable projection", Figure 3.
        """
        place = self._metric_place(metric)
        source = self if np.isin([low, high], self.taus).all() else self.at([low, high])
        ends = np.searchsorted(source.taus, [low, high])
        value = source._curves.value[:, place, :]
        return (value[:, ends[1]] - value[:, ends[0]]).reshape(self.shape)

    def usable(self, metric: str, low: float = -1, high: float = 1) -> NDArray[np.bool_]:
        """Tell for which pixels a metric is reliable or wide at two τ, in the shape of an image.

        Parameters
        ----------
        metric : str
            One of `metric_names`.
        low, high : float
            τ in [-1, 1], as in `map`.

        Returns
        -------
        ndarray of bool of shape `shape`
            False for pixels that have one value only.
        """
        source = self if np.isin([low, high], self.taus).all() else self.at([low, high])
        ends = np.searchsorted(source.taus, [low, high])
        curves = source._curves
        level = levels(curves.reason[:, self._metric_place(metric)][:, ends])
        good = (level < UNRELIABLE) & ~np.isnan(curves.ess[:, ends])
        return good[:, 0].reshape(self.shape) & good[:, 1].reshape(self.shape)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per pixel, τ and metric, fresh for the caller to change.

        Columns: pixel (place in C order), row, column, channel (0 where there is one), tau, target (mean brightness),
        metric, value, lower, upper (interval at `confidence`), reliability ("reliable"; "wide": read the interval, not
        the number; "unreliable"), ess (effective images), pareto_k, kl (nats), tv, note.
        """
        return self._frame.copy()

    @cached_property
    def _frame(self) -> pd.DataFrame:
        curves = self._curves
        pixel: NDArray[np.int64] = np.arange(len(curves.value), dtype=np.int64)
        _, width, channels = (*self.shape, 1)[:3]
        subject = {
            "pixel": pixel,
            "row": pixel // (width * channels),
            "column": pixel // channels % width,
            "channel": pixel % channels,
        }
        notes = np.where(np.isnan(curves.ess), CONSTANT, "").astype(object)
        return pd.DataFrame(curve_columns(curves, subject, self.metric_names, notes))

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be said about the maps, one sentence each; empty when there is nothing unusual."""
        return self._notes

    @cached_property
    def _notes(self) -> tuple[str, ...]:
        curves, p = self._curves, self._curves.value.shape[0]
        constant = int(self.constant.sum())
        words: list[str] = []
        if constant:
            have = agree(constant, "has", "have")
            words.append(f"{constant:,} of {count(p, 'pixel')} {have} one value in every image and cannot be moved")
        rare = int((np.isnan(curves.reached).any(1) & ~self.constant.ravel()).sum())
        if rare:
            words.append(
                f"{_pixels(rare)} {agree(rare, 'has', 'have')} two values, one of them rare: "
                f"τ = ±1 there multiplies its odds by {ODDS:g}"
            )
        past = np.abs(curves.reached - np.array([self.quantile, 1 - self.quantile])) > 1e-9  # False for NaN
        widened = int(np.count_nonzero(past[:, 0] | past[:, 1]))
        if widened:
            have, whose = agree(widened, "has", "have"), agree(widened, "its", "their")
            words.append(
                f"{_pixels(widened)} {have} a quantile that does not lie past {whose} mean: τ there reaches further, "
                "at most to the pixel's extreme"
            )
        doubtful = (levels(curves.reason) == UNRELIABLE).any(axis=1) & ~np.isnan(curves.ess)
        for t in (0, len(self.taus) - 1):
            if doubtful[:, t].any():
                n = _pixels(int(doubtful[:, t].sum()))
                words.append(f"some metric is unreliable for {n} at τ = {self.taus[t]:g}".replace("-", "−"))
        return tuple(words)

    def chart(self, metrics: str | Sequence[str] | None = None, low: float = -1, high: float = 1) -> alt.ConcatChart:
        """Draw small multiples, one map per metric, of how far each pixel moves it between two τ.

        Parameters
        ----------
        metrics : str or several, optional
            One map each; by default the portion of each class.
        low, high : float
            τ in [-1, 1].

        Returns
        -------
        altair.ConcatChart
            Data inline; one diverging scale for all, grey where a pixel has one value only, a small circle where
            the metric is unreliable at either end.

        Raises
        ------
        InputError
            For more cells than a chart can carry; asks for fewer metrics.
        """
        return show.draw(self, metrics, low, high)

    def widget(self, **traits: Any) -> show.StressImageView:
        """Make the widget: a map for each metric, with a slider for τ.

        Parameters
        ----------
        **traits
            First values of `tau` and `against`; see `StressImageView`.
        """
        return show.view(self, **traits)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.stress_image",
            "version": 1,
            "model": self.model_name,
            "task": self.task,
            "n_rows": self.n_rows,
            "shape": list(self.shape),
            "quantile": self.quantile,
            "confidence": self.confidence,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "records": records(self.frame),
        }

    def _arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return what .npz holds: maps of shape (n_pixels, …, n_taus) with their names."""
        return {
            "shape": np.array(self.shape),
            "taus": self.taus,
            "metrics": np.array(self.metric_names),
            **{name: getattr(self._curves, name) for name in ARRAYS},
        }

    def __repr__(self) -> str:
        size = " × ".join(str(n) for n in self.shape)
        lines = [
            f"{self.title}: {count(self.n_rows, 'image')} of {size}, {len(self.taus)} τ, {len(self.metric_names)} "
            "metrics"
        ]
        ends = float(self.taus[0]), float(self.taus[-1])
        between = f"from τ = {ends[0]:g} to {ends[1]:g}:".replace("-", "−")
        lines.append(f"largest change of each, where it is not unreliable, {between}")
        for metric in self._curves.metrics[:12]:
            moved = np.where(self.usable(metric.name, *ends), self.map(metric.name, *ends), np.nan)
            if np.isnan(moved).all():
                continue
            top = np.unravel_index(int(np.nanargmax(np.abs(moved))), self.shape)
            where = ", ".join(str(int(k)) for k in top)
            lines.append(f"  {metric.label}: {points(float(moved[top]))} at pixel ({where})")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def _pixels(n: int) -> str:
    return count(n, "pixel")


def compute_pixel_curves(
    counts: PixelCounts,
    metrics: Sequence[Metric],
    taus: NDArray[np.float64],
    *,
    quantile: float,
    confidence: float,
    progress: bool,
) -> Curves:
    """Compute every metric along τ for every pixel, from counts of their values.

    Parameters
    ----------
    counts : PixelCounts
    metrics : sequence of SummedMetric
    taus : ndarray of shape (n_taus,)
    quantile, confidence, progress
        As in `Study.stress_image`.
    """
    summed = [metric for metric in metrics if isinstance(metric, SummedMetric)]
    with progress_bar.bars_shown(progress):
        return image_curves(counts, summed, taus=taus, quantile=quantile, confidence=confidence, each=_bar)


def _bar(starts: Iterable[int]) -> Iterable[int]:
    return progress_bar.progress(starts, "Solving pixels", len(list(starts)), "block")
