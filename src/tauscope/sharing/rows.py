"""Which rows go along in a page: all that fit, a sample drawn with a seed, or none."""

# Decided in docs/decisions/0012-a-page-of-a-sample-is-of-the-sample-alone.md.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import InputError
from tauscope.results.boundary.pooling import misclassified
from tauscope.views.columns_message import BUDGET
from tauscope.views.stress.joint_message import bytes_per_row
from tauscope.weights.seeds import RandomState, seed_of

if TYPE_CHECKING:
    from tauscope.results.base import Study

RowChoice = Literal["all", "none"] | int
CURVE_BYTES = 4 * 50
"""What a row takes in an effect: its individual curve on the most points there are."""
FEWEST = 100
"""Rows below which a sample is not worth a page."""


@dataclass(frozen=True)
class EmbeddedRows:
    """The rows of a page.

    Attributes
    ----------
    study : Study
        Of these rows.
    n_rows : int
        How many there were.
    positions : ndarray or None
        Theirs among all rows, ascending; None where they are all.
    seed : int or None
        By which they were drawn.
    """

    study: Study
    n_rows: int
    positions: NDArray[np.int64] | None = None
    seed: int | None = None

    def here(self, traits: Mapping[str, Any]) -> dict[str, Any]:
        """Return first values of traits with rows by their positions in the page."""
        positions = self.positions
        if positions is None:
            return dict(traits)
        there = dict(traits)
        if traits.get("row") is not None:
            there["row"] = int(np.searchsorted(positions, int(traits["row"])))
        if "selection" in traits:
            drawn = np.intersect1d(positions, np.asarray(traits["selection"], dtype=np.int64))
            there["selection"] = np.searchsorted(positions, drawn).tolist()
        if "by" in traits:
            there["by"] = self._by_here(positions, traits["by"])
        if "results" in traits:
            there["results"] = self._anew(positions, traits["results"], there)
        return there

    def _by_here(self, positions: NDArray[np.int64], by: Any) -> Any:
        """Return a mask or labels of these rows; names of columns as they are."""
        if isinstance(by, str) or not hasattr(by, "__len__") or len(by) != self.n_rows:
            return by
        return by.iloc[positions] if hasattr(by, "iloc") else np.asarray(by)[positions]

    def _anew(
        self, positions: NDArray[np.int64], results: Mapping[str, Any], traits: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Compute results of all rows again on these, by the same options."""
        found: dict[str, Any] = {}
        for name, one in results.items():
            if name == "effect":
                found[name] = self.study._effect_from(one._spec)
            elif name == "boundary":
                found[name] = self.study._boundary_from(traits["row"], one._spec)
            elif name == "pooled":
                rows = self._pooled_here(positions, one)
                if len(rows):
                    most, confidence = len(one.boundaries), one.confidence
                    found[name] = self.study._pooled_boundary_from(
                        rows, one.boundaries._spec, max_rows=most, confidence=confidence
                    )
            elif name == "rules":
                found[name] = self.study._rules_from(traits["row"], one._spec)
            elif name == "models":
                answers = tuple(each.take(positions) for each in one._outcomes)
                found[name] = self.study._compare_outcomes(answers, one.names, None, **one._options)
            elif name in ("thresholds", "calibration"):
                ask = self.study.threshold_curves if name == "thresholds" else self.study.calibration
                found[name] = ask(**{**one._options, "by": self._by_here(positions, one._options["by"])})
            elif name == "worst_case":
                found[name] = self.study.worst_case(
                    one.metric.name, within=one.within.as_argument() or None, reach=one.reach, **one._options
                )
            elif name == "towards":
                found[name] = self.study._reweight_towards(
                    one.target, amount=one.amount, price=one.price, **one._options
                )
            elif name == "curves" and one is not None and one.source is not None:
                mask = np.isin(np.arange(self.n_rows), positions)
                found[name] = one.source.where(mask).stress_curves(metrics=list(one.metric_names))
        return found

    def _pooled_here(self, positions: NDArray[np.int64], pooled: Any) -> NDArray[np.int64]:
        """Return which of the rows given to be pooled are here: those misclassified, or of others those drawn."""
        if pooled.source is not None and np.array_equal(np.unique(pooled._given), misclassified(pooled.source)):
            return misclassified(self.study)
        return np.searchsorted(positions, np.intersect1d(positions, pooled._given))


def choose_rows(study: Study, rows: Any, random_state: RandomState, traits: Mapping[str, Any]) -> EmbeddedRows:
    """Choose the rows of a page.

    Parameters
    ----------
    study : Study
    rows : "all" or int
        All, or as many as fit where they do not; or a sample of so many.
    random_state : int, Generator or None
        Draws the sample.
    traits : mapping
        The row that it names is in the sample. Rows selected are not put in it: they are picked by what they are, and
        many of them would make it another population.

    Raises
    ------
    InputError
        For fewer rows than are worth a page, or a row that is not there.
    """
    if isinstance(rows, str):
        n_rows = _most(study)
        if n_rows >= study.n_rows:
            return EmbeddedRows(study, study.n_rows)
    else:
        n_rows = int(rows)
        if n_rows < FEWEST:
            raise InputError(
                f"A sample for a page takes at least {FEWEST} rows; got rows={n_rows}. Take more, or rows='none'."
            )
        if n_rows >= study.n_rows:
            return EmbeddedRows(study, study.n_rows)
    named = np.array([] if traits.get("row") is None else [_check_row(traits["row"], study.n_rows)], dtype=np.int64)
    seed = seed_of(random_state)
    order = np.random.default_rng(seed).permutation(study.n_rows)
    drawn = np.concatenate([named, order[~np.isin(order, named)]])[:n_rows]
    chosen = np.zeros(study.n_rows, dtype=bool)
    chosen[drawn] = True
    return EmbeddedRows(study.where(chosen), study.n_rows, np.flatnonzero(chosen), seed)


def _most(study: Study) -> int:
    """Return how many rows fit the budget: all, if the sliders' do; else with room for the curves of an effect."""
    per_row = bytes_per_row(study.joint_stress())
    return study.n_rows if per_row * study.n_rows <= BUDGET else BUDGET // (per_row + CURVE_BYTES)


def _check_row(row: Any, n_rows: int) -> int:
    if isinstance(row, bool) or not isinstance(row, Integral) or not 0 <= int(row) < n_rows:
        raise InputError(f"A row must be a position between 0 and {n_rows - 1:,}; got {row!r}.")
    return int(row)
