"""Answers by definition, in long arithmetic: shares of one tilt, what a linear program allows, sums of weights."""

import numpy as np
from scipy.optimize import linprog


def tilted_shares(values, target, base):
    """Shares v e^{ξx} with a mean strictly inside the values, by bisection of log |ξ|."""
    distance = values.astype(np.longdouble) - np.longdouble(target)
    apart = np.abs(distance[distance != 0])
    distance = distance / np.sort(apart)[len(apart) // 4]
    weight = base.astype(np.longdouble)

    def shares(xi):
        logs = xi * distance
        tilted = weight * np.exp(logs - logs.max())
        return tilted / tilted.sum()

    miss = shares(np.longdouble(0)) @ distance
    if miss == 0:
        return shares(np.longdouble(0)).astype(float)
    sign = -1 if miss > 0 else 1
    low, high = np.longdouble(-220), np.longdouble(20)
    for _ in range(90):
        middle = (low + high) / 2
        far = sign * (shares(sign * np.exp(middle)) @ distance) > 0
        low, high = (low, middle) if far else (middle, high)
    return shares(sign * np.exp((low + high) / 2)).astype(float)


def keep_missing(values, shares_of_observed, base):
    """Shares of all rows: those without a value keep theirs, and so do the others together."""
    observed = ~np.isnan(values)
    out = base / base.sum()
    out[observed] = out[observed].sum() * shares_of_observed
    return out


def least_share(phi, target):
    """The largest least weight of weights that meet the targets; None where there are none."""
    n, k = phi.shape
    scale = np.maximum(np.abs(phi - target).max(0), 1e-300)
    equations = np.vstack([np.ones(n), ((phi - target) / scale).T])
    rows = np.hstack([equations, equations.sum(1, keepdims=True)])  # w = least + rest
    answer = linprog(
        np.append(np.zeros(n), -1.0), A_eq=rows, b_eq=np.append(1.0, np.zeros(k)), bounds=(0, None), method="highs"
    )
    return float(answer.x[-1]) if answer.status == 0 else None


def is_tilt_of(weights, base, phi, target):
    """How far log(w / v) is from a linear function of Φ, over rows that have any weight to speak of."""
    counted = weights > 1e-12 * weights.max()
    z = (phi - target)[counted]
    z = z / np.maximum(np.abs(z).max(0), 1e-300)
    design = np.column_stack([np.ones(len(z)), z])
    logs = np.log(weights[counted] / base[counted])
    fitted = design @ np.linalg.lstsq(design, logs, rcond=1e-13)[0]
    return float(np.abs(logs - fitted).max())
