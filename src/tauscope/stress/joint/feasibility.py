"""Why targets cannot be met, in words: the constraint at fault and the range that is left to it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.far_rows import name_far_values
from tauscope.stress.joint.hull import Hull

Array = NDArray[np.float64]

DEPENDENT = 1e-12  # share of a constraint's variance that the others leave, below which it is one of them
CONSISTENT = 1e-9  # distance between a dependent constraint's target and the one that follows, standard deviations


def feasible_range(phi: Array, target: Array, column: int, summary: MomentSummary | None = None) -> tuple[float, float]:
    """Range of one target over all weights that meet the other ones.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
        Finite.
    target : ndarray of shape (k,)
        The entry `column` does not count.
    column : int
        Column in question.
    summary : MomentSummary, optional
        Of `phi`, where it has been measured already.

    Returns
    -------
    tuple of float
        Lowest and highest reachable mean of the column, in its unit; NaN where the others exclude each other.
        The ends themselves can be reached only in the limit, by weights that leave rows out.

    Notes
    -----
    The highest is min over c of max_i Φ_ij + ⟨c, Φ_i,-j - t_-j⟩, dual to the linear program over the weights. Of
    columns that are linear functions of each other only independent ones enter it: whitened, the rest would be
    rounding alone. A column that follows from the others can only be what their targets make it.
    """
    summary = summarise_moments(phi, None) if summary is None else summary
    if summary.low[column] == summary.high[column]:
        return float(summary.low[column]), float(summary.high[column])
    others = [j for j in range(len(target)) if j != column]
    basis, _ = select_independent(summary, others)
    for j in others:
        if j in basis:
            continue
        if summary.low[j] == summary.high[j]:
            agrees = target[j] == summary.low[j]
        else:
            slopes = solve_dependence(summary, j, basis)
            agrees = slopes is None or compute_implied_target(target, summary, j, basis, slopes)[1]
        if not agrees:
            return float("nan"), float("nan")
    if not basis:
        return float(summary.low[column]), float(summary.high[column])
    hull = Hull(phi, target, summary, basis)
    slopes = solve_dependence(summary, column, basis)
    if slopes is not None:
        implied = compute_implied_target(target, summary, column, basis, slopes)[0]
        return (float("nan"), float("nan")) if hull.locate().place == "outside" else (implied, implied)
    scale = float(summary.sd[column])
    low, high = hull.mean_range((phi[:, column] - summary.mean[column]) / scale)
    return float(summary.mean[column] + scale * low), float(summary.mean[column] + scale * high)


def check_each_target(target: Array, summary: MomentSummary, names: Sequence[str]) -> None:
    """Refuse constant columns and targets outside a column's own range.

    Parameters
    ----------
    target : ndarray of shape (k,)
    summary : MomentSummary
    names : sequence of str, length k

    Raises
    ------
    InfeasibleTarget
        Names the constraint and its range.
    InputError
        For a column that has one value only and is asked to keep it.
    """
    for name, t, low, high in zip(names, target, summary.low, summary.high, strict=True):
        if low == high and t == low:
            raise InputError(
                f"The {name} is {t:g} whatever the weights: every row has this value. Drop this constraint."
            )
        if low == high:
            raise InfeasibleTarget(
                f"The {name} cannot become {t:g}: every row has the value {low:g}. Drop this constraint."
            )
        if not low <= t <= high:
            raise InfeasibleTarget(
                f"The {name} cannot become {t:.6g}: the rows lie between {low:.6g} and {high:.6g}. "
                "Choose a target between."
            )


def check_dependence(target: Array, summary: MomentSummary, names: Sequence[str], phi: Array | None = None) -> None:
    """Refuse constraints of which one follows from, or contradicts, those before it.

    Parameters
    ----------
    target : ndarray of shape (k,)
    summary : MomentSummary
        With positive standard deviations.
    names : sequence of str, length k
    phi : ndarray of shape (n_rows, k), optional
        Whose values far off are named in the message.

    Raises
    ------
    DependentConstraints
        Names the constraint and those it depends on, and whether it repeats or contradicts them.
    """
    for j in range(1, len(target)):
        slopes = solve_dependence(summary, j, list(range(j)))
        if slopes is None:
            continue
        related = [name for name, slope in zip(names[:j], slopes, strict=True) if abs(slope) > 1e-6]
        implied, consistent = compute_implied_target(target, summary, j, list(range(j)), slopes)
        advice = "" if phi is None else name_far_values(phi, names)
        if consistent:
            raise DependentConstraints(
                f"The {names[j]} already follows from the {_join_names(related)}: on these rows one is a linear "
                f"function of the other. {advice}Drop one of them."
            )
        raise DependentConstraints(
            f"The {names[j]} cannot become {target[j]:.6g}: on these rows it is a linear function of the "
            f"{_join_names(related)}, whose targets make it {implied:.6g}. "
            f"{advice}Drop one of them, or ask for {implied:.6g}."
        )


def solve_dependence(summary: MomentSummary, column: int, others: list[int]) -> Array | None:
    """Write one column as a linear function of others, in standard deviations.

    Parameters
    ----------
    summary : MomentSummary
    column : int
    others : list of int

    Returns
    -------
    ndarray of shape (n_others,) or None
        Slopes; None where the column has variance of its own.
    """
    sd = np.where(summary.sd > 0, summary.sd, 1.0)
    correlation = summary.covariance / np.outer(sd, sd)
    between, with_column = correlation[np.ix_(others, others)], correlation[others, column]
    slopes = np.asarray(np.linalg.lstsq(between, with_column, rcond=None)[0], dtype=np.float64)
    left_variance = correlation[column, column] - 2 * slopes @ with_column + slopes @ between @ slopes
    return slopes if left_variance <= DEPENDENT else None


def select_independent(summary: MomentSummary, columns: Sequence[int] | None = None) -> tuple[list[int], list[int]]:
    """Choose columns of which none follows from those before it.

    Parameters
    ----------
    summary : MomentSummary
    columns : sequence of int, optional
        Those to choose from, ascending; all by default.

    Returns
    -------
    basis : list of int
        Ascending. Constant columns are not among them.
    tied : list of int
        Columns left out that follow from the first one, alone or with others.
    """
    sd = np.where(summary.sd > 0, summary.sd, 1.0)
    correlation = summary.covariance / np.outer(sd, sd)
    basis: list[int] = []
    tied: list[int] = []
    # a pivoted factorisation would choose by size: here the first columns stay, which are the constraints themselves
    lower = np.zeros_like(correlation)  # Cholesky factor of the kept columns' correlation
    for j in range(len(sd)) if columns is None else columns:
        if summary.low[j] == summary.high[j]:
            continue
        m = len(basis)
        factor = lower[:m, :m]
        loadings = np.linalg.solve(factor, correlation[basis, j]) if m else np.zeros(0)
        left_variance = 1 - float(loadings @ loadings)
        if left_variance > DEPENDENT:
            lower[m, :m], lower[m, m] = loadings, np.sqrt(left_variance)
            basis.append(j)
        elif abs(np.linalg.solve(factor.T, loadings)[0]) > 1e-6:
            tied.append(j)
    return basis, tied


def compute_implied_target(
    target: Array, summary: MomentSummary, column: int, others: list[int], slopes: Array
) -> tuple[float, bool]:
    """Return the target that follows for a dependent column, and whether the requested one agrees with it.

    Parameters
    ----------
    target : ndarray of shape (k,)
    summary : MomentSummary
    column, others, slopes
        As in `solve_dependence`.

    Returns
    -------
    implied : float
        In the column's unit.
    consistent : bool
        Within 1e-9 standard deviations.
    """
    standardised = (target - summary.mean) / np.where(summary.sd > 0, summary.sd, 1.0)
    implied = float(slopes @ standardised[others])
    size = 1 + float(np.abs(slopes) @ np.abs(standardised[others]))
    consistent = abs(implied - float(standardised[column])) <= CONSISTENT * size
    return float(summary.mean[column] + summary.sd[column] * implied), consistent


def explain_infeasible(phi: Array, target: Array, summary: MomentSummary, names: Sequence[str]) -> InfeasibleTarget:
    """Put into words that targets, each possible alone, exclude each other.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    summary : MomentSummary
        Of `phi`.
    names : sequence of str, length k

    Returns
    -------
    InfeasibleTarget
        Gives for each constraint the range that the others leave it.
    """
    lines: list[str] = []
    unknown = False
    for j, name in enumerate(names):
        low, high = feasible_range(phi, target, j, summary)
        if np.isnan(low) or np.isinf(high - low):  # no range, or none that could be computed
            unknown |= not np.isnan(low)
            continue
        point = high - low <= 1e-8 * summary.sd[j]
        allowed = f"only be {low:.6g}" if point else f"lie between {low:.6g} and {high:.6g}"
        lines.append(f"with the others as asked, the {name} can {allowed}, not {target[j]:.6g}")
    if not lines:
        without = "the range that the others leave to each could not be computed"
        lines = [without if unknown else "even without any one of them the others exclude each other; start from fewer"]
    return InfeasibleTarget(
        f"No weights on these rows meet all {len(target)} constraints at once: {'; '.join(lines)}. "
        f"{name_far_values(phi, names)}Choose a target inside its range, or drop a constraint."
    )


def _join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and the " + names[-1]
