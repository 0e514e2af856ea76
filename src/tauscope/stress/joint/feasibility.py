"""Why targets cannot be met, in words: the constraint at fault and the range that is left to it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tauscope.errors import DependentConstraints, InfeasibleTarget, InputError
from tauscope.stress.joint.dual import MomentSummary, summarise_moments
from tauscope.stress.joint.hull import Hull

Array = NDArray[np.float64]

DEPENDENT = 1e-12  # share of a constraint's variance that the others leave, below which it is one of them
CONSISTENT = 1e-9  # distance between a dependent constraint's target and the one that follows, standard deviations


def feasible_range(phi: Array, target: Array, which: int, found: MomentSummary | None = None) -> tuple[float, float]:
    """Range of one target over all weights that meet the other ones.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
        Finite.
    target : ndarray of shape (k,)
        The entry `which` does not count.
    which : int
        Column in question.
    found : MomentSummary, optional
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
    found = summarise_moments(phi, None) if found is None else found
    if found.low[which] == found.high[which]:
        return float(found.low[which]), float(found.high[which])
    others = [j for j in range(len(target)) if j != which]
    kept, _ = independent(found, others)
    for j in others:
        if j in kept:
            continue
        if found.low[j] == found.high[j]:
            agrees = target[j] == found.low[j]
        else:
            slopes = dependence(found, j, kept)
            agrees = slopes is None or implied_target(target, found, j, kept, slopes)[1]
        if not agrees:
            return float("nan"), float("nan")
    if not kept:
        return float(found.low[which]), float(found.high[which])
    hull = Hull(phi, target, found, kept)
    slopes = dependence(found, which, kept)
    if slopes is not None:
        follows = implied_target(target, found, which, kept, slopes)[0]
        return (float("nan"), float("nan")) if hull.position().place == "outside" else (follows, follows)
    scale = float(found.sd[which])
    low, high = hull.reach((phi[:, which] - found.mean[which]) / scale)
    return float(found.mean[which] + scale * low), float(found.mean[which] + scale * high)


def check_alone(target: Array, found: MomentSummary, names: Sequence[str]) -> None:
    """Refuse constant columns and targets outside a column's own range.

    Parameters
    ----------
    target : ndarray of shape (k,)
    found : MomentSummary
    names : sequence of str, length k

    Raises
    ------
    InfeasibleTarget
        Names the constraint and its range.
    InputError
        For a column that has one value only and is asked to keep it.
    """
    for name, t, low, high in zip(names, target, found.low, found.high, strict=True):
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


def check_dependence(target: Array, found: MomentSummary, names: Sequence[str]) -> None:
    """Refuse constraints of which one follows from, or contradicts, those before it.

    Parameters
    ----------
    target : ndarray of shape (k,)
    found : MomentSummary
        With positive standard deviations.
    names : sequence of str, length k

    Raises
    ------
    DependentConstraints
        Names the constraint and those it depends on, and tells a repetition from a contradiction.
    """
    for j in range(1, len(target)):
        slopes = dependence(found, j, list(range(j)))
        if slopes is None:
            continue
        of = [name for name, slope in zip(names[:j], slopes, strict=True) if abs(slope) > 1e-6]
        implied, consistent = implied_target(target, found, j, list(range(j)), slopes)
        if consistent:
            raise DependentConstraints(
                f"The {names[j]} already follows from the {_listed(of)}: on these rows one is a linear "
                "function of the other. Drop one of them."
            )
        raise DependentConstraints(
            f"The {names[j]} cannot become {target[j]:.6g}: on these rows it is a linear function of the "
            f"{_listed(of)}, whose targets make it {implied:.6g}. Drop one of them, or ask for {implied:.6g}."
        )


def dependence(found: MomentSummary, which: int, others: list[int]) -> Array | None:
    """Write one column as a linear function of others, in standard deviations.

    Parameters
    ----------
    found : MomentSummary
    which : int
    others : list of int

    Returns
    -------
    ndarray of shape (n_others,) or None
        Slopes; None where the column has variance of its own.
    """
    correlation = found.covariance / np.outer(found.sd, found.sd)
    among, along = correlation[np.ix_(others, others)], correlation[others, which]
    slopes = np.asarray(np.linalg.lstsq(among, along, rcond=None)[0], dtype=np.float64)
    left = correlation[which, which] - 2 * slopes @ along + slopes @ among @ slopes
    return slopes if left <= DEPENDENT else None


def independent(found: MomentSummary, columns: Sequence[int] | None = None) -> tuple[list[int], list[int]]:
    """Choose columns of which none follows from those before it.

    Parameters
    ----------
    found : MomentSummary
    columns : sequence of int, optional
        Those to choose from, ascending; all by default.

    Returns
    -------
    kept : list of int
        Ascending. Constant columns are not among them.
    tied : list of int
        Columns left out that follow from the first one, alone or with others.
    """
    sd = np.where(found.sd > 0, found.sd, 1.0)
    correlation = found.covariance / np.outer(sd, sd)
    kept: list[int] = []
    tied: list[int] = []
    lower = np.zeros_like(correlation)  # Cholesky factor of the kept columns' correlation
    for j in range(len(sd)) if columns is None else columns:
        if found.low[j] == found.high[j]:
            continue
        m = len(kept)
        factor = lower[:m, :m]
        along = np.linalg.solve(factor, correlation[kept, j]) if m else np.zeros(0)
        left = 1 - float(along @ along)
        if left > DEPENDENT:
            lower[m, :m], lower[m, m] = along, np.sqrt(left)
            kept.append(j)
        elif abs(np.linalg.solve(factor.T, along)[0]) > 1e-6:
            tied.append(j)
    return kept, tied


def implied_target(
    target: Array, found: MomentSummary, which: int, others: list[int], slopes: Array
) -> tuple[float, bool]:
    """Return the target that follows for a dependent column, and whether the asked one agrees with it.

    Parameters
    ----------
    target : ndarray of shape (k,)
    found : MomentSummary
    which, others, slopes
        As taken and given by `dependence`.

    Returns
    -------
    implied : float
        In the column's unit.
    consistent : bool
        Within 1e-9 standard deviations.
    """
    asked = (target - found.mean) / found.sd
    follows = float(slopes @ asked[others])
    size = 1 + float(np.abs(slopes) @ np.abs(asked[others]))
    consistent = abs(follows - float(asked[which])) <= CONSISTENT * size
    return float(found.mean[which] + found.sd[which] * follows), consistent


def infeasible(phi: Array, target: Array, found: MomentSummary, names: Sequence[str]) -> InfeasibleTarget:
    """Put into words that targets, each possible alone, exclude each other.

    Parameters
    ----------
    phi : ndarray of shape (n_rows, k)
    target : ndarray of shape (k,)
    found : MomentSummary
        Of `phi`.
    names : sequence of str, length k

    Returns
    -------
    InfeasibleTarget
        Gives for each constraint the range that the others leave it.
    """
    lines: list[str] = []
    for j, name in enumerate(names):
        low, high = feasible_range(phi, target, j, found)
        if np.isnan(low):
            continue
        point = high - low <= 1e-8 * found.sd[j]
        left = f"only be {low:.6g}" if point else f"lie between {low:.6g} and {high:.6g}"
        lines.append(f"with the others as asked, the {name} can {left}, not {target[j]:.6g}")
    if not lines:
        lines = ["even without any one of them the others exclude each other; start from fewer"]
    return InfeasibleTarget(
        f"No weights on these rows meet all {len(target)} constraints at once: {'; '.join(lines)}. "
        "Choose a target inside its range, or drop a constraint."
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and the " + names[-1]
