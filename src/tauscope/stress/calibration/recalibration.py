"""Logistic recalibration: the intercept and the slope of the truth on the log odds of the predicted probability.

The intercept a is that of y ~ a + logit p, the slope b that of y ~ a' + b logit p, both by maximum likelihood under the
rows' weights; a = 0 and b = 1 where p is calibrated. A slope below 1 says that probabilities are too far apart.

References
----------
Cox, "Two further applications of a model for binary regression", Biometrika 45, 1958.
Van Calster, McLernon, van Smeden, Wynants, Steyerberg, "Calibration: the Achilles heel of predictive analytics", BMC
Medicine 17, 2019.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Array = NDArray[np.float64]

MOST_STEPS = 100
SETTLED = 1e-12
"""Size of a Newton step, on the log-odds scale, below which the fit is there."""
ROUNDING = 1e-14
"""Share of a log likelihood that is rounding."""
FLAT = 1e-10
"""Standard deviation of log odds, relative to their size, that is none but rounding."""


class Recalibration(NamedTuple):
    """A coefficient under some weights.

    Attributes
    ----------
    value : float
        NaN where there is none: one class alone, scores that are all alike, or that part the classes completely.
    influence : ndarray of shape (n_rows,)
        Of each row on it, 0 on average under the weights; all 0 where there is no value.
    """

    value: float
    influence: Array


class NearestScores(NamedTuple):
    """How near probabilities come to 0 and to 1 without being that, by which their log odds are taken.

    Attributes
    ----------
    score, rest : float
        The least p, and the least 1 - p, strictly between 0 and 1; ∞ for none.
    """

    score: float
    rest: float

    @classmethod
    def of(cls, score: Array) -> "NearestScores":
        """Find those of some rows."""
        return cls(*(float(np.min(p, initial=np.inf, where=(p > 0) & (p < 1))) for p in (score, 1 - score)))

    def nearer(self, other: "NearestScores") -> "NearestScores":
        """Return those of both row sets."""
        return NearestScores(min(self.score, other.score), min(self.rest, other.rest))

    def log_odds(self, score: Array) -> Array:
        """Return the log odds of probabilities; 0 and 1 count as half way to the nearest other one."""
        low, high = (_half_way(nearest) for nearest in self)
        extreme, near = [score <= 0, score >= 1], [low, 1 - high]
        odds_for, odds_against = np.select(extreme, near, score), np.select(extreme, [1 - low, high], 1 - score)
        return np.log(odds_for) - np.log(odds_against)


def log_odds(score: Array) -> Array:
    """Return the log odds of probabilities; 0 and 1 count as half way to the nearest other one.

    Parameters
    ----------
    score : ndarray of shape (n_rows,)
        In [0, 1].
    """
    return NearestScores.of(score).log_odds(score)


def count_extreme(score: Array) -> int:
    """Count the probabilities that are 0 or 1."""
    return int(np.count_nonzero((score <= 0) | (score >= 1)))


def _half_way(nearest: float) -> float:
    return max((nearest if nearest < 1 else 0.5) / 2, np.finfo(np.float64).tiny)


def fit_intercept(odds: Array, truth: Array, share: Array) -> Recalibration:
    """Fit a of y ~ a + logit p.

    Parameters
    ----------
    odds : ndarray of shape (n_rows,)
        logit p.
    truth : ndarray of shape (n_rows,)
        0 or 1.
    share : ndarray of shape (n_rows,)
        Weights that sum to 1.
    """
    if not _has_both(truth, share):
        return _nothing(odds)
    positives = float(share @ truth)
    # the weighted mean of σ(a + logit p) rises from 0 to 1 with a: Newton's steps, kept within what is known of it
    counted = odds[share > 0]
    # not 1 - positives, which is 0 where the negatives' weight is lost beside theirs
    start = float(np.log(positives / (share @ (1 - truth))))
    low, high = start - float(counted.max()) - 1, start - float(counted.min()) + 1
    a = min(max(0.0, low), high)
    for _ in range(MOST_STEPS):
        fitted = expit(a + odds)
        excess, slope = float(share @ fitted) - positives, float(share @ (fitted * (1 - fitted)))
        low, high = (low, a) if excess > 0 else (a, high)
        step = a - excess / slope if slope > 0 else np.inf
        following = step if low <= step <= high else (low + high) / 2
        settled, a = abs(following - a) <= SETTLED * max(1.0, abs(a)), following
        if settled:
            break
    fitted = expit(a + odds)
    slope = float(share @ (fitted * (1 - fitted)))
    return Recalibration(a, (truth - fitted) / slope) if slope > 0 else _nothing(odds)


def fit_slope(odds: Array, truth: Array, share: Array) -> Recalibration:
    """Fit b of y ~ a + b logit p; parameters as in `fit_intercept`."""
    centre = float(share @ odds)
    spread = float(np.sqrt(share @ (odds - centre) ** 2))
    counted = np.abs(odds[share > 0])
    if not spread > FLAT * float(counted.max(initial=0.0)) or not _overlap(odds, truth, share):
        return _nothing(odds)
    design = np.column_stack([np.ones(len(odds)), (odds - centre) / spread])
    theta = fit_logistic(design, truth, share)
    fitted = expit(design @ theta)
    information = information_of(design, fitted, share)
    if not np.linalg.cond(information) < 1 / np.finfo(np.float64).eps:
        return _nothing(odds)
    of_slope = np.linalg.inv(information)[:, 1] / spread
    return Recalibration(float(theta[1]) / spread, (design @ of_slope) * (truth - fitted))


def fit_logistic(design: Array, truth: Array, share: Array) -> Array:
    """Maximise a weighted log likelihood that has a maximum by Newton's method, its steps halved where it falls."""

    def likelihood(theta: Array) -> float:
        linear = design @ theta
        return float(share @ (truth * linear - np.logaddexp(0.0, linear)))

    theta = np.zeros(design.shape[1])
    best = likelihood(theta)
    for _ in range(MOST_STEPS):
        fitted = expit(design @ theta)
        step = np.linalg.lstsq(information_of(design, fitted, share), design.T @ (share * (truth - fitted)))[0]
        while (found := likelihood(theta + step)) < best - ROUNDING * abs(best):
            step = step / 2
        theta, best = theta + step, found
        if np.abs(step).max() <= SETTLED * max(1.0, float(np.abs(theta).max())):
            break
    return theta


def information_of(design: Array, fitted: Array, share: Array) -> Array:
    """Return Σ w p (1 - p) x xᵀ, p being what is fitted."""
    return (design * (share * fitted * (1 - fitted))[:, None]).T @ design


def _has_both(truth: Array, share: Array) -> bool:
    return bool(share[truth == 1].any() and share[truth == 0].any())


def _overlap(odds: Array, truth: Array, share: Array) -> bool:
    """Tell whether no threshold parts the classes: else the likelihood rises with the slope for ever."""
    if not _has_both(truth, share):
        return False
    of_positives, of_negatives = (odds[(truth == each) & (share > 0)] for each in (1, 0))
    return bool(of_positives.min() < of_negatives.max() and of_negatives.min() < of_positives.max())


def _nothing(odds: Array) -> Recalibration:
    return Recalibration(float("nan"), np.zeros(len(odds)))
