"""The mixture of two regressions in which three of fifty columns decide a row; the same in every environment.

Amoukou and Brunel, "Consistent sufficient explanations and minimal local rules", 2022, section 5.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import norm
from sklearn.ensemble import RandomForestRegressor

P = 50
N_FITTED, N_EXPLAINED = 10_000, 60
COVARIANCE = 0.8 + 5 * np.eye(P)
LEFT, RIGHT, SWITCH = np.zeros((3, P))
LEFT[:2], RIGHT[2:4], SWITCH[4] = 1, 1, 1


@dataclass(frozen=True)
class Mixture:
    """A forest of depth 8, as the authors' package has it, the rows it was fitted on, and others to explain."""

    forest: RandomForestRegressor
    X: np.ndarray
    y: np.ndarray
    explained: np.ndarray
    target: np.ndarray


@cache
def mixture() -> Mixture:
    """Fit the forest of the paper's stated settings."""
    X, y = draw(N_FITTED, seed=0)
    explained, target = draw(N_EXPLAINED, seed=5)
    forest = RandomForestRegressor(20, max_depth=8, max_features=1.0, random_state=0).fit(X, y)
    return Mixture(forest, X, y, explained, target)


def true_columns(row: np.ndarray) -> set[int]:
    """Return the columns that decide a row."""
    return {0, 1, 4} if row[4] < 0 else {2, 3, 4}


def mean_target(row: np.ndarray, known: list[int]) -> float:
    """Mean of the target given some columns: of normals, cut where the switch changes sign."""
    sums = np.stack([LEFT, RIGHT, SWITCH])
    slope = np.linalg.solve(COVARIANCE[np.ix_(known, known)], COVARIANCE[known])
    a, b, v = sums @ slope.T @ row[known]
    spread = sums @ (COVARIANCE - COVARIANCE[:, known] @ slope) @ sums.T
    if spread[2, 2] < 1e-9:
        return float(a if v < 0 else b)
    s = np.sqrt(spread[2, 2])
    above, density = norm.cdf(v / s), norm.pdf(v / s)
    return float(a * (1 - above) - spread[0, 2] / s * density + b * above + spread[1, 2] / s * density)


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows and their targets."""
    X = np.random.default_rng(seed).multivariate_normal(np.zeros(P), COVARIANCE, size=n, method="cholesky")
    return X, np.where(X[:, 4] < 0, X @ LEFT, X @ RIGHT)
