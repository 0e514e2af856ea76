"""Partial least squares of one response, linear or with a logit link, of a sample and of its replicates together."""

from dataclasses import dataclass

import numpy as np

from tauscope.weights.arrays import Bools, Floats

PENALTY = 0.001
"""On half the squared length of the coefficients, beside the sum of the losses."""
RANK = 1e-12
"""Share of the largest under which a direction of the sample is rounding."""
MAX_NEWTON = 60
MAX_HALVINGS = 14
DECREMENT = 1e-8
"""Newton's decrement, over the number of points, at which the optimum is reached."""


@dataclass(frozen=True, eq=False)
class Components:
    """Partial least squares: each component is the direction in which the loss of those before it falls fastest.

    With squared losses these are the components of NIPALS. With logistic ones they are those of generalised partial
    least squares, its regressions of each feature on its own taken one step of Newton far, in units that all features
    share.

    Attributes
    ----------
    target : ndarray of shape (m,)
        What is regressed on; 0 and 1 with a logit link.
    n_components : int
    logistic : bool
        Whether the response is regressed on the components with a logit link, by ridge logistic regression.

    References
    ----------
    Bastien, Esposito Vinzi, Tenenhaus, "PLS generalised linear regression", Computational Statistics & Data Analysis
    48, 2005, algorithm 2. Vlassopoulos, "Decision boundary approximation", 2019, section 3.4.2.
    """

    target: Floats
    n_components: int
    logistic: bool

    def fit(self, x: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
        """Fit samples of the same points.

        Parameters
        ----------
        x : ndarray of shape (m, q)
        counts : ndarray of shape (r, m)
            How often each sample has each point.

        Returns
        -------
        coefficients : ndarray of shape (r, q)
        intercept : ndarray of shape (r,)
        scores : ndarray of shape (r, m, k)
            The points on the directions of the components, which are of length 1 and at right angles.
        """
        mean = counts @ x / np.maximum(counts.sum(axis=1), 1)[:, None]  # of few points a replicate may draw none
        basis = np.empty((len(counts), x.shape[1], 0))
        design = np.ones((*counts.shape, 1))
        first = np.zeros((len(counts), 1))
        solved = self._solve(design, counts)
        for _ in range(min(self.n_components, x.shape[1])):
            linear = (design @ solved[..., None])[..., 0]
            rest = counts * (self.target - (sigmoid(linear) if self.logistic else linear))
            direction = rest @ x - rest.sum(axis=1, keepdims=True) * mean
            before = np.linalg.norm(direction, axis=1, keepdims=True)
            first = np.maximum(first, before)
            direction -= (basis @ (basis.swapaxes(1, 2) @ direction[..., None]))[..., 0]
            norm = np.linalg.norm(direction, axis=1, keepdims=True)
            # features that depend on one another leave fewer directions than components: the others count nothing
            direction = np.where(norm > RANK * first, direction / np.where(norm > 0, norm, 1), 0.0)
            scores = direction @ x.T - (direction * mean).sum(axis=1, keepdims=True)
            basis = np.concatenate([basis, direction[..., None]], axis=2)
            design = np.concatenate([design, scores[..., None]], axis=2)
            solved = self._solve(design, counts)
        coefficients = (basis @ solved[:, 1:, None])[..., 0]
        return coefficients, solved[:, 0] - (coefficients * mean).sum(axis=1), design[..., 1:]

    def replicates(self, x: Floats, counts: Floats) -> Floats:
        """Fit replicates, of which each has each point so often, (r, m): coefficients (r, q)."""
        return self.fit(x, counts)[0]

    def _solve(self, design: Floats, counts: Floats) -> Floats:
        """Regress on the components found so far, (r, m, k): coefficients (r, k), that of the ones first."""
        if self.logistic:
            return fit_logistic(design, self.target, counts)
        weighted = (design * counts[..., None]).swapaxes(1, 2)
        inverse = np.linalg.pinv(weighted @ design, rcond=RANK, hermitian=True)
        return (inverse @ (weighted @ self.target)[..., None])[..., 0]


def fit_logistic(design: Floats, y: Floats, counts: Floats) -> Floats:
    """Find the optima of ridge logistic regressions by damped Newton.

    Parameters
    ----------
    design : ndarray of shape (r, m, k)
        Ones first, whose coefficient is not penalised.
    y : ndarray of shape (m,)
        0 or 1.
    counts : ndarray of shape (r, m)
        Weights of the points.

    Returns
    -------
    ndarray of shape (r, k)
    """
    penalty = np.full(design.shape[2], PENALTY)
    penalty[0] = 0
    coefficients = np.zeros((len(counts), design.shape[2]))
    linear = np.zeros(counts.shape)
    loss = logistic_loss(linear, y, counts)
    diagonal = np.arange(len(penalty))
    for _ in range(MAX_NEWTON):
        share = sigmoid(linear)
        gradient = ((counts * (share - y))[:, None] @ design)[:, 0] + penalty * coefficients
        hessian = (design * (counts * (share * (1 - share) + 1e-12))[..., None]).swapaxes(1, 2) @ design
        hessian[:, diagonal, diagonal] += penalty + 1e-12
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        decrement = (gradient * step).sum(axis=1)
        moving: Bools = decrement > DECREMENT * counts.sum(axis=1)
        size = moving.astype(np.float64)
        trial, linear_trial, loss_trial, worse = coefficients, linear, loss, moving
        for _ in range(MAX_HALVINGS):
            trial = coefficients - size[:, None] * step
            linear_trial = (design @ trial[..., None])[..., 0]
            loss_trial = logistic_loss(linear_trial, y, counts) + 0.5 * (penalty * trial * trial).sum(axis=1)
            worse = moving & ~(loss_trial <= loss - 1e-4 * size * decrement)
            if not worse.any():
                break
            size[worse] /= 2
        moving = moving & ~worse
        if not moving.any():
            break
        coefficients[moving], linear[moving], loss[moving] = trial[moving], linear_trial[moving], loss_trial[moving]
    return coefficients


def sigmoid(linear: Floats) -> Floats:
    """Turn log-odds into probabilities."""
    return 1 / (1 + np.exp(-np.clip(linear, -500, 500)))


def logistic_loss(linear: Floats, y: Floats, counts: Floats) -> Floats:
    """Sum the losses of log-odds (r, m) over points counted so often: shape (r,)."""
    return (counts * np.logaddexp(0, np.where(y > 0, -linear, linear))).sum(axis=1)
