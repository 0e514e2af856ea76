"""Which shift of the population harms a metric most, all shifts being equally large."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from tauscope.results import show
from tauscope.results.base import Charted, finite_records
from tauscope.results.formatting import decimals, fixed, share, signed
from tauscope.results.stress.numbers.equal_distance import Shift
from tauscope.results.stress.numbers.natural_units import written_means
from tauscope.stress.joint.adjusted import Hold
from tauscope.stress.metrics import Metric
from tauscope.stress.reliability import LEVELS
from tauscope.words import count

if TYPE_CHECKING:
    import altair as alt

Worse = Literal["higher", "lower", "either"]

SHOWN = 10
MOVED_TOGETHER = 3
WORSE_HIGHER = {
    "error_rate", "false_positive_rate", "false_negative_rate", "false_discovery_rate", "rmse", "mean_absolute_error",
    "mae", "mean_squared_error", "log_loss", "brier_score", "brier_score_loss",
}  # fmt: skip
WORSE_LOWER = {
    "true_positive_rate", "accuracy", "balanced_accuracy", "precision", "specificity", "f1", "roc_auc",
    "average_precision", "r2",
}  # fmt: skip


def worse_side(metric: str) -> Worse:
    """Tell which way a metric gets worse; "either" where neither is, as of the portion of a class."""
    stem = metric.rsplit("_score", 1)[0]
    if {metric, stem} & WORSE_HIGHER or metric.startswith("error"):
        return "higher"
    return "lower" if {metric, stem} & WORSE_LOWER or metric.startswith(("recall", "precision")) else "either"


@dataclass(frozen=True, repr=False, eq=False)
class StressHarm(Charted):
    """What each feature, moved up and down by the same distance, does to one metric: the greatest harm first.

    Made by `StressCurves.harm`.

    Attributes
    ----------
    metric : Metric
    worse : {"higher", "lower", "either"}
        Which way the metric gets worse.
    confidence : float
        Level of the intervals, in (0, 1).
    shifts : tuple of Shift
        Reliable ones first, then wide, unreliable and those that cannot be moved so far; in each the greatest harm
        first.
    n_rows : int
    model_name : str
    hold : {"means", "uncorrelated"}, optional
        What of the other features stayed where it is; None where nothing had to.

    Examples
    --------
    >>> harm = study.stress_curves(taus=9).harm("error_rate", distance=0.1)
    >>> harm.frame["feature"].tolist()[:2]
    ['mean smoothness', 'mean texture']
    """

    metric: Metric
    worse: Worse
    _asked: float
    """Total variation that every shift has: the share of the weight that changes hands."""

    confidence: float
    shifts: tuple[Shift, ...]
    n_rows: int
    model_name: str
    hold: Hold | None = None

    @property
    def title(self) -> str:
        """What is asked, of which model: "Shifts that harm the error rate of LogisticRegression most"."""
        verb = "move" if self.worse == "either" else "harm"
        return f"Shifts that {verb} the {self.metric.label} of {self.model_name} most"

    @property
    def size(self) -> str:
        """How large each shift is, of how many rows: "10 % of the weight moved by each, 3,000 rows"."""
        return f"{share(self._asked)} of the weight moved by each, {count(self.n_rows, 'row')}"

    @property
    def _caption(self) -> str:
        """What a page saved from this is a copy of."""
        return f"{self.title}: {self.size}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Which features cannot be moved so far, or not so little while others are held."""
        out = [each for each in self.shifts if each.reliability == "out of reach"]
        too_far = [each for each in out if each.distance > self._asked]
        short = [each for each in out if each.distance <= self._asked]
        said = (("Not as far as that can be moved", short), ("Moved farther than that by holding the others", too_far))
        return tuple(f"{words}: {_listed(some)}." for words, some in said if some)

    @property
    def frame(self) -> pd.DataFrame:
        """One row per feature and direction, in the order of `shifts`.

        Columns: feature; direction ("up", "down"); change of the metric; lower, upper (its interval at `confidence`);
        before, value (the metric as it is and moved); mean, target (of the feature, its own unit, a share in [0, 1]);
        tau; distance (total variation, in [0, 1]); ess (effective rows); reliability ("reliable"; "wide": read the
        interval; "unreliable"; "out of reach", with no numbers); note.
        """
        order = (
            "feature", "direction", "change", "lower", "upper", "before", "value", "mean", "target", "tau", "distance",
            "ess", "reliability", "note",
        )  # fmt: skip
        return pd.DataFrame([asdict(each) for each in self.shifts], columns=[*order])

    @property
    def shown(self) -> tuple[Shift, ...]:
        """Those that text and pictures show: the first ten that could be moved so far."""
        return tuple(each for each in self.shifts if each.reliability != "out of reach")[:SHOWN]

    def _lines(self) -> list[tuple[str, ...]]:
        """Return the cells of a summary: feature, where it is moved, change, interval, effective rows, reliability."""
        scale, unit = (100.0, " pt") if self.metric.kind == "share" else (1.0, "")
        seen = [each.change for each in self.shown if np.isfinite(each.change)]
        n = min(decimals(scale * float(np.ptp([0.0, *seen])), 1), 8)

        def write(value: float) -> str:
            return signed(fixed(scale * value, n))

        return [
            (
                each.feature,
                moved_words(each),
                write(each.change) + unit,
                f"{write(each.lower)} … {write(each.upper)}",
                f"{each.ess:,.0f}",
                each.reliability,
            )
            for each in self.shown
        ]

    def chart(self, n: int = 15) -> alt.LayerChart:
        """Draw the change of each shift as a bar with its interval, as an Altair chart to restyle or save.

        Parameters
        ----------
        n : int, default 15
            How many, from the first.

        Returns
        -------
        altair.LayerChart
            Data inline; full where reliable, pale where wide, an outline where unreliable.
        """
        return show.draw(self, n)

    def widget(self, **traits: Any) -> show.StressHarmView:
        """Make the widget: a bar for each shift, to be chosen, which moves whatever is linked to it.

        Parameters
        ----------
        **traits
            First value of `stress`; see `StressHarmView`.

        Returns
        -------
        StressHarmView
        """
        return show.view(self, **traits)

    def _document(self) -> dict[str, Any]:
        """See `Result._document`."""
        return {
            "schema": "tauscope.stress_harm",
            "version": 1,
            "model": self.model_name,
            "n_rows": self.n_rows,
            "metric": self.metric.name,
            "worse": self.worse,
            "distance": self._asked,
            "confidence": self.confidence,
            "computed": self.computed_on.isoformat(),
            "notes": list(self.notes),
            "records": finite_records(self.frame),
        }

    def __repr__(self) -> str:
        lines = [("feature", "moved to", "change", f"{100 * self.confidence:g} %", "rows", ""), *self._lines()]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [self._caption]
        for name, to, *cells in lines:
            right = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells[:-1], widths[2:-1], strict=True))
            text.append(f"  {name:<{widths[0]}}  {to:<{widths[1]}}  {right}  {cells[-1]}".rstrip())
        more = len(self.shifts) - len(self.shown)
        text += [f"  and {more:,} more shifts in .frame"] if more else []
        return "\n".join([*text, *(f"  {note}" for note in self.notes)])


def _listed(shifts: list[Shift]) -> str:
    more = f" and {len(shifts) - SHOWN} more" if len(shifts) > SHOWN else ""
    return ", ".join(f"{each.feature} {each.direction}" for each in shifts[:SHOWN]) + more


def moved_words(shift: Shift) -> str:
    """Say where a feature is moved: "38.6 → 43.2", "33.1 % → 43.1 %"."""
    return " → ".join(written_means("0/1" if shift.kind == "share" else shift.unit, shift.mean, shift.target))


def rank(shifts: list[Shift], worse: Worse) -> tuple[Shift, ...]:
    """Order shifts: reliable ones first, in each level the greatest harm first."""
    sign = {"higher": 1.0, "lower": -1.0}.get(worse)

    def key(each: Shift) -> tuple[int, float]:
        level = LEVELS.index(each.reliability) if each.reliability != "out of reach" else len(LEVELS)
        harm = abs(each.change) if sign is None else sign * each.change
        return level, -harm if np.isfinite(harm) else np.inf

    return tuple(sorted(shifts, key=key))


def moved_together(harm: StressHarm) -> list[str]:
    """Return the features whose own shifts harm most, few enough to be moved together."""
    return list(dict.fromkeys(one.feature for one in harm.shifts))[:MOVED_TOGETHER]
