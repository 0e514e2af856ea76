"""Linear explanations of a labelled sample: ridge logistic, ridge, partial least squares, lasso, in units of d."""

# scikit-learn ships no types.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dposv as posv

from tauscope.boundary.options import Explainer
from tauscope.boundary.planes.components import PENALTY, Components, fit_logistic, logistic_loss, sigmoid
from tauscope.weights.arrays import Bools, Floats, Ints

LASSO_SHARE = 0.05
"""The penalty of "lasso" over the smallest that leaves no feature."""
N_BLOCKS = 20
"""Equal parts of a sample that replicates are drawn from: the sums of each are formed once."""
DRAWN = 1 - (1 - 1 / N_BLOCKS) ** N_BLOCKS
"""Share of the points that a replicate draws at least once."""
WORKING_BYTES = 128 * 2**20
"""Of products summed by parts; where the parts would take more, the sums are formed without them."""


@dataclass(frozen=True, eq=False)
class Equations:
    """The least squares that give a plane, for it to be fitted again on parts of its sample.

    Attributes
    ----------
    kept : ndarray
        Features that take part.
    weight, response : ndarray of shape (m,)
    """

    kept: Ints
    weight: Floats
    response: Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """A plane fitted to a sample.

    Attributes
    ----------
    coefficients : ndarray of shape (q,)
        Larger values of coefficients · x + intercept are farther from the start's decision; all 0 where the sample
        shows no difference.
    intercept : float
        The plane is where the sum is 0.
    r2 : float
        R² on what was fitted; of labels fitted by logistic regression McFadden's, 1 − loss / loss of the constant.
    equations : Equations, Components or None
        From which replicates are fitted. None where the sample shows no difference.
    scores : ndarray of shape (m, n_components) or None
        The sample on the components of partial least squares.
    """

    coefficients: Floats
    intercept: float
    r2: float
    equations: Equations | Components | None = None
    scores: Floats | None = None

    def stability(self, x: Floats, counts: Floats | None) -> float:
        """Mean cosine between the directions of replicates of the sample.

        Parameters
        ----------
        x : ndarray of shape (m, q)
            The sample it was fitted on.
        counts : ndarray of shape (n_replicates, N_BLOCKS) or None
            How often each replicate draws each part of it, as from `draw_blocks`.

        Returns
        -------
        float
            NaN without replicates, or without a difference.
        """
        if counts is None or self.equations is None:
            return np.nan
        if isinstance(self.equations, Components):
            return _agreement(self.equations.replicates(x, _of_points(counts, len(x))))
        return _agreement(_replicates(x, self.equations, counts))


def fit_plane(
    x: Floats,
    flipped: Bools,
    margin: Floats | None,
    explainer: Explainer = "ridge",
    *,
    n_components: int = 2,
    n_features: int | None = None,
) -> Fit:
    """Fit a plane between the points decided as the start and the others.

    Parameters
    ----------
    x : ndarray of shape (m, q)
        The sample, from the point, in units of its distance.
    flipped : ndarray of bool, shape (m,)
    margin : ndarray of shape (m,) or None
        By how much the answers favour the start's decision: what is regressed on; None: the labels are.
    explainer : {"ridge", "pls", "logistic_pls", "lasso"}
        Of labels "ridge" is logistic regression; "logistic_pls" is of labels only; the others take them as −1 and 1.
    n_components : int, default 2
    n_features : int or None
        Most features of "lasso".

    Returns
    -------
    Fit
    """
    if explainer == "logistic_pls":
        margin = None
    target = np.where(flipped, 1.0, -1.0) if margin is None else -margin
    level = 0.0 if margin is None else _level(target, flipped)
    if np.ptp(target) <= 1e-12 * max(1.0, float(np.abs(target).max())):
        return Fit(np.zeros(x.shape[1]), 0.0, np.nan)
    if explainer == "pls":
        return _fit_components(x, Components(target - level, n_components, logistic=False))
    if explainer == "logistic_pls":
        return _fit_components(x, Components(flipped.astype(np.float64), n_components, logistic=True))
    kept = _kept(x, target, n_features) if explainer == "lasso" else np.arange(x.shape[1])
    axes, design = _design(x, kept)
    weight, response = _logistic(design, flipped) if margin is None else (np.ones(len(x)), target - level)
    weighted = design * weight[:, None] if margin is None else design
    solved = _solve(weighted.T @ design, response @ weighted)
    coefficients = np.zeros(x.shape[1])
    coefficients[kept] = solved[1:] if axes is None else axes @ solved[1:]
    r2 = _r2_of_labels(design @ solved, flipped) if margin is None else _r2(design @ solved, response)
    return Fit(coefficients, float(solved[0]), r2, Equations(kept, weight, response))


def _fit_components(x: Floats, components: Components) -> Fit:
    """Fit partial least squares, the scores at right angles as those of NIPALS."""
    of_one, intercepts, scores = components.fit(x, np.ones((1, len(x))))
    coefficients, intercept = of_one[0], float(intercepts[0])
    axes, lengths = np.linalg.qr(scores[0])
    orthogonal = np.zeros((len(x), components.n_components))
    orthogonal[:, : axes.shape[1]] = axes * np.diag(lengths)
    r2 = (_r2_of_labels if components.logistic else _r2)(x @ coefficients + intercept, components.target)
    return Fit(coefficients, intercept, r2, components, orthogonal)


def _r2(fitted: Floats, response: Floats) -> float:
    return 1 - float(((response - fitted) ** 2).sum() / ((response - response.mean()) ** 2).sum())


def _r2_of_labels(log_odds: Floats, flipped: Bools | Floats) -> float:
    """Return McFadden's R² of log-odds."""
    y, every = flipped.astype(np.float64), np.ones((1, len(flipped)))
    constant = np.full(every.shape, np.log(y.mean() / (1 - y.mean())))
    return 1 - float(logistic_loss(log_odds[None], y, every)[0] / logistic_loss(constant, y, every)[0])


def _design(x: Floats, kept: Ints) -> tuple[Floats | None, Floats]:
    """Return axes (n_kept, k), None for the features that take part themselves, and the sample on them, ones first.

    More features than points are turned to as many axes as there are points: ridge measures coefficients by their
    length, which a rotation keeps, and has none outside the sample's own span.
    """
    values, axes = x[:, kept], None
    if len(kept) > len(x):
        axes, turned = np.linalg.qr(values.T)
        values = turned.T
    design = np.ones((len(x), values.shape[1] + 1))
    design[:, 1:] = values
    return axes, design


def draw_blocks(random_state: int, key: int, n_replicates: int) -> Floats | None:
    """Draw parts of a sample with replacement: how often each, shape (n_replicates, N_BLOCKS)."""
    if n_replicates < 2:
        return None
    random = np.random.default_rng((random_state, key, 1))
    return random.multinomial(N_BLOCKS, np.full(N_BLOCKS, 1 / N_BLOCKS), size=n_replicates).astype(np.float64)


def _level(target: Floats, flipped: Bools) -> float:
    """Find the margin at which the decision changes: midway between the sides, 0 if there is one side only."""
    if flipped.all() or not flipped.any():
        return 0.0
    return float(target[flipped].min() + target[~flipped].max()) / 2


def _logistic(design: Floats, flipped: Bools) -> tuple[Floats, Floats]:
    """Find the optimum; return the weights and responses that give it as least squares."""
    y = flipped.astype(np.float64)
    linear = design @ fit_logistic(design[None], y, np.ones((1, len(y))))[0]
    share = sigmoid(linear)
    weight = share * (1 - share) + 1e-12
    return weight, linear + (y - share) / weight


def _replicates(x: Floats, equations: Equations, counts: Floats) -> Floats:
    """Fit replicates of a sample: coefficients without the intercept, on axes of equal lengths: (n_replicates, k)."""
    if DRAWN * len(x) < len(equations.kept):
        return _by_points(x[:, equations.kept], equations, counts)
    _, design = _design(x, equations.kept)
    if 8 * N_BLOCKS * design.shape[1] ** 2 > WORKING_BYTES:
        return np.array([_replicate(design, equations, one) for one in counts])
    design, weight = _in_blocks(design), _in_blocks(equations.weight[:, None])
    weighted = (design * weight).transpose(0, 2, 1)
    gram, moment = weighted @ design, (weighted @ _in_blocks(equations.response[:, None]))[..., 0]
    drawn = (counts @ gram.reshape(N_BLOCKS, -1)).reshape(-1, *gram.shape[1:])
    return _solve(drawn, counts @ moment)[:, 1:]


def _replicate(design: Floats, equations: Equations, counts: Floats) -> Floats:
    """Fit one replicate, its points weighted: takes the memory of one product for that of all blocks."""
    weighted = design * (equations.weight * _of_points(counts, len(design)))[:, None]
    return _solve(weighted.T @ design, equations.response @ weighted)[1:]


def _by_points(values: Floats, equations: Equations, counts: Floats) -> Floats:
    """Fit replicates that draw fewer points than there are features, as sums of their points: (n_replicates, k).

    Ridge's coefficients are Xᵀα with (XXᵀ + λ/w) α = y − intercept and Σα = 0: as many equations as points.
    """
    gram, dual = values @ values.T, np.zeros((len(counts), len(values)))
    for of_replicate, one in zip(dual, counts, strict=True):
        weight = equations.weight * _of_points(one, len(values))
        drawn = np.flatnonzero(weight)
        if not len(drawn):
            continue  # of few points a replicate may draw none
        root = np.sqrt(weight[drawn])
        system = gram[drawn].take(drawn, axis=1)
        system *= root
        system *= root[:, None]
        system[np.diag_indices_from(system)] += PENALTY
        of_response, of_ones = _solve_positive(system, np.column_stack([root * equations.response[drawn], root])).T
        intercept = float(root @ of_response) / float(root @ of_ones)
        of_replicate[drawn] = root * (of_response - intercept * of_ones)
    return dual @ values


def _solve_positive(system: Floats, right: Floats) -> Floats:
    """Solve by Cholesky's factors, half the work of others, unless the penalty is rounding beside the system."""
    _, solved, failed = posv(system, right)
    return np.linalg.solve(system, right).astype(np.float64, copy=False) if failed else solved


def _of_points(counts: Floats, n_points: int) -> Floats:
    """Repeat the count of each block, (..., N_BLOCKS), for its points: (..., m)."""
    short, n_long = divmod(n_points, N_BLOCKS)
    return np.repeat(counts, np.where(np.arange(N_BLOCKS) < n_long, short + 1, short), axis=-1)


def _in_blocks(values: Floats) -> Floats:
    """Cut values (m, k) as np.array_split does, shorter blocks ending with a row of zeros: (N_BLOCKS, size, k)."""
    k, (short, n_long) = values.shape[1], divmod(len(values), N_BLOCKS)
    blocks = np.zeros((N_BLOCKS, short + (n_long > 0), k))
    end = n_long * (short + 1)
    blocks[:n_long] = values[:end].reshape(n_long, blocks.shape[1], k)
    blocks[n_long:, :short] = values[end:].reshape(N_BLOCKS - n_long, short, k)
    return blocks


def _agreement(vectors: Floats) -> float:
    """Mean cosine between pairs of vectors (n, q); with one that is 0 it is 0."""
    norm = np.linalg.norm(vectors, axis=1, keepdims=True)
    total = (vectors / np.where(norm > 0, norm, 1)).sum(axis=0)
    n = len(vectors)
    return float((total @ total - n) / (n * (n - 1)))


def _solve(gram: Floats, moment: Floats) -> Floats:
    """Solve ridge equations (..., q + 1), the ones first."""
    penalty = np.full(gram.shape[-1], PENALTY)
    penalty[0] = 1e-12
    return np.linalg.solve(gram + np.diag(penalty), moment[..., None])[..., 0].astype(np.float64, copy=False)


def _kept(x: Floats, target: Floats, n_features: int | None) -> Ints:
    """Choose the features of "lasso": those the penalty leaves, the largest if there are too many."""
    from sklearn.linear_model import Lasso  # loads pandas, which no engine may at import

    centred, response = x - x.mean(axis=0), target - target.mean()
    most = float(np.abs(centred.T @ response).max()) / len(x)
    if not most > 0:
        return np.empty(0, dtype=np.int64)
    share = LASSO_SHARE if n_features is None else 1e-3
    fitted = Lasso(alpha=share * most, fit_intercept=False, max_iter=20_000, tol=1e-4).fit(centred, response)
    size = np.abs(np.asarray(fitted.coef_)) * centred.std(axis=0)
    order = np.argsort(-size, kind="stable")[: n_features or len(size)]
    return np.sort(order[size[order] > 0])
