"""The slow obvious definition of everything the stress engine answers: float64 Newton on all rows, one τ at a time."""

import numpy as np
from scipy.optimize import brentq


def tilt(x, target, v):
    """Weights summing to 1 over rows (missing rows keep theirs) whose observed rows have the mean `target`."""
    seen = ~np.isnan(x)
    share = v[seen].sum() / v.sum()
    weight = v / v.sum()
    z, base = x[seen], v[seen] / v[seen].sum()
    if target in (z.min(), z.max()):
        at = base * (z == target)
        weight[seen] = share * at / at.sum()
        return weight
    unit = np.sqrt(base @ (z - target) ** 2)
    z = (z - target) / unit

    def tilted(xi):
        logs = xi * z
        w = base * np.exp(logs - logs.max())
        return w / w.sum()

    reach = 1.0
    while tilted(reach) @ z < 0:
        reach *= 2
    down = -1.0
    while tilted(down) @ z > 0:
        down *= 2
    xi = brentq(lambda s: tilted(s) @ z, down, reach, xtol=1e-15, rtol=8.9e-16, maxiter=500)
    for _ in range(5):
        w = tilted(xi)
        xi -= (w @ z) / (w @ z**2 - (w @ z) ** 2)
    weight[seen] = share * tilted(xi)
    return weight


def metrics(outcomes, w):
    """Every metric of the outcomes under weights summing to 1, by its definition."""
    f, y, out = outcomes.predicted, outcomes.truth, {}
    if outcomes.task == "regression":
        mean = w @ f
        out |= {"mean": mean, "variance": w @ (f - mean) ** 2}
        if y is not None:
            out["rmse"] = np.sqrt(w @ (f - y) ** 2)
        return out
    for code, name in enumerate(outcomes.class_names):
        out[f"portion_{name}"] = w @ (f == code)
    if y is not None:
        out["error_rate"] = w @ (f != y)
        if outcomes.task == "binary":
            both = w @ ((f == 1) & (y == 1))
            wrong = w @ ((f == 1) & (y == 0))
            with np.errstate(invalid="ignore", divide="ignore"):
                out["true_positive_rate"] = both / (w @ (y == 1))
                out["false_positive_rate"] = wrong / (w @ (y == 0))
                out["false_discovery_rate"] = wrong / (w @ (f == 1))
    if outcomes.score is not None:
        out["mean_score"] = w @ outcomes.score
    return out


def distances(w, v):
    """KL (nats) and total variation of weights from the sample weights."""
    base = v / v.sum()
    ratio = np.divide(w, base, out=np.ones_like(w), where=base > 0)
    kl = np.sum(w[w > 0] * np.log(ratio[w > 0]))
    return kl, 0.5 * np.abs(w - base).sum()
