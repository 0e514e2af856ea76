"""Intervals for means over the trees of a forest."""

import numpy as np
from scipy import stats

from tauscope.errors import InputError
from tauscope.weights.arrays import Floats
from tauscope.weights.checks import check_share


def tree_interval(by_tree: Floats, *, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Interval for what a forest of ever more trees, grown on the same rows, would answer.

    The jackknife over trees: the standard error of a mean of independent trees, with Student's t. It covers the
    forest's Monte Carlo error alone. That another sample of rows would have given another forest is not in it.

    Parameters
    ----------
    by_tree : ndarray of shape (..., n_trees)
        Each tree's answer, in [0, 1]; NaN where a tree has no say.
    confidence : float
        In (0, 1).

    Returns
    -------
    lower, upper : ndarray of shape (...)
        In [0, 1].

    Raises
    ------
    InputError
        Where fewer than two trees have a say.
    """
    check_share(confidence, "confidence", open_low=True, open_high=True)
    n_trees = (~np.isnan(by_tree)).sum(axis=-1)
    if (n_trees < 2).any():
        raise InputError(f"An interval over trees needs at least two; got {int(n_trees.min())}. Fit a larger forest.")
    mean = np.nanmean(by_tree, axis=-1)
    error = np.nanstd(by_tree, axis=-1, ddof=1) / np.sqrt(n_trees)
    reach = stats.t.ppf((1 + confidence) / 2, n_trees - 1) * error
    return np.clip(mean - reach, 0, 1), np.clip(mean + reach, 0, 1)
