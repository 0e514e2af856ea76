"""The inputs of every stress case, from a seed; NumPy and pandas only: both environments run it."""

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

TAUS = 21
ALPHA = 0.05


@dataclass(frozen=True)
class Inputs:
    """A binary classification with known coefficients.

    Attributes
    ----------
    columns : ndarray of shape (n_features, n_rows), float64
        Independent standard normals; one contiguous row per feature.
    truth, predicted : ndarray of shape (n_rows,), int64
        Classes 0 and 1.
    score : ndarray of shape (n_rows,), float64
        Probability of class 1; `predicted` is 1 where it exceeds 0.5.
    """

    columns: np.ndarray
    truth: np.ndarray
    predicted: np.ndarray
    score: np.ndarray

    @property
    def frame(self) -> pd.DataFrame:
        """The columns as a data frame with features x0, x1, …; pandas lays it out as `columns` already is."""
        names = [f"x{j}" for j in range(len(self.columns))]
        return pd.DataFrame(self.columns.T, columns=names, copy=False)

    @property
    def n_bytes(self) -> int:
        """Bytes of all arrays together."""
        return sum(a.nbytes for a in (self.columns, self.truth, self.predicted, self.score))

    @property
    def digest(self) -> str:
        """Hash of columns and classes: equal in two processes means that both measured the same work.

        The score is left out: NumPy versions differ in the last bit of `exp`, and the peer never sees it.
        """
        digest = hashlib.sha256()
        for array in (self.columns, self.truth, self.predicted):
            digest.update(memoryview(array).cast("B"))
        return digest.hexdigest()[:16]


def classification(n_rows: int, n_features: int, seed: int = 0) -> Inputs:
    """Draw X ~ N(0, I) and a probit-noise classification with coefficients from -4 to 4.

    The design of Bachoc et al., "Explaining machine learning models using entropic variable projection",
    section 4.3.1, with p instead of five coefficients; the truth is the prediction seen through noise.
    """
    rng = np.random.default_rng(seed)
    columns = np.empty((n_features, n_rows))
    margin = np.zeros(n_rows)
    beta = np.linspace(-4.0, 4.0, n_features)
    for j in range(n_features):
        rng.standard_normal(out=columns[j])
        margin += beta[j] * columns[j]
    margin /= np.sqrt(beta @ beta)
    noise = rng.standard_normal(n_rows)
    noise *= 0.5
    noise += margin
    truth = (noise > 0).astype(np.int64)
    predicted = (margin > 0).astype(np.int64)
    margin *= -4.0
    np.exp(margin, out=margin)
    margin += 1.0
    np.reciprocal(margin, out=margin)
    return Inputs(columns, truth, predicted, margin)


def save(inputs: Inputs, path: str) -> None:
    """Write the arrays as four .npy files, so that a process can load them without a temporary copy."""
    for name in ("columns", "truth", "predicted", "score"):
        np.save(f"{path}-{name}.npy", getattr(inputs, name))


def load(path: str) -> Inputs:
    """Read what `save` wrote."""
    arrays = [np.load(f"{path}-{name}.npy") for name in ("columns", "truth", "predicted", "score")]
    return Inputs(*arrays)
