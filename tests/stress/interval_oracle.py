"""Intervals and reliability of one metric of one column at one τ, row by row: slow, and as the formulas are written.

No missing values, no sample weights. A metric is given by arrays over the rows: a rate by what is above and below its
line, everything else by its values.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit
from scipy.stats import beta, norm, t as student

from stress.oracle import tilt
from tauscope.weights.concentration import pareto_khat


@dataclass
class Cell:
    """What the oracle says of one cell."""

    value: float
    lower: float
    upper: float
    reason: str
    target: float
    target_error: float


def quantile(x, level):
    return np.quantile(x, level, method="inverted_cdf")


def longer_than_normal(w):
    """KL over that of a normal shift of the same total variation: 2Φ(δ/2) - 1 = TV, of which KL is δ²/2."""
    tv, positive = 0.5 * np.abs(w - 1 / len(w)).sum(), w[w > 0]
    delta = 2 * norm.ppf((1 + tv) / 2)
    return positive @ np.log(positive * len(w)) / (delta**2 / 2) if tv > 1e-3 else 1.0


def end_of_tau(x, sign, alpha):
    """The end on one side: its value, the slope of the quantile, the |τ| from which it is in doubt, how it follows
    the mean, and which rows' number moves it."""
    n, mean = len(x), x.mean()

    def beyond(share):  # the value with such a share of the rows on its far side
        if sign < 0:
            return float(-quantile(-x, 1 - share)) if share < alpha else float(quantile(x, share))
        return float(quantile(x, 1 - share))

    share = alpha
    while sign * (beyond(share) - mean) <= 0:
        share /= 2

    def window(share):
        level = 1 - share if sign > 0 else share
        half = norm.ppf(0.975) * np.sqrt(level * (1 - level) / n)
        return half, quantile(x, max(level - half, 0)), quantile(x, min(level + half, 1))

    if len(np.unique(x)) == 2:
        near, far = (x.min(), x.max())[::sign]
        plain, (_, low, high) = quantile(x, 1 - alpha if sign > 0 else alpha), window(alpha)
        if plain == far:
            return far, 0.0, 0 if low != high else np.inf, 0.0, x == far
        p = (mean - near) / (far - near)
        at = near + (far - near) * 4 * p / (1 + 3 * p)
        return at, 0.0, 0 if low != high else np.inf, 4 / (1 + 3 * p) ** 2, x == far
    q, (half, low, high) = beyond(share), window(share)
    flatter, steeper = sorted([q - low, high - q])
    ratio = flatter / steeper if steeper else 0.0
    at_edge_of_heap = max(1 - ratio / 0.3, 0.0)
    slope = (np.hypot(flatter, steeper) / np.sqrt(2) + (1.3 - np.sqrt(0.5)) * at_edge_of_heap * steeper) / half
    inwards, outwards = (q - low, high - q) if sign > 0 else (high - q, q - low)
    just_reached = outwards < 0.3 * inwards  # a heap of rows, of which a few fewer would leave the end further in
    moving = sign * (x - q) >= 0 if just_reached else sign * (x - q) > 0
    extreme, past = (x.max() if sign > 0 else x.min()), x[sign * (x - q) > 0]
    nearly_extreme = inwards < 0.3 * outwards and len(past) > 1 and (past == extreme).all()
    doubt_from = 1 if (q == extreme and just_reached) or nearly_extreme else np.inf
    doubt = sign * ((low if sign > 0 else high) - mean) <= 0
    if share < alpha:
        _, low, high = window(2 * share)
        doubt |= sign * ((high if sign > 0 else low) - mean) > 0
    return q, slope, 0 if doubt else doubt_from, 0.0, moving


def answer(x, tau, kind, *, top=None, bottom=None, values=None, alpha=0.05, target=None, confidence=0.95):
    """Answer for a metric: kind "rate" of `top` and `bottom`, or "mean", "score", "variance", "rmse" of `values`."""
    n, mean, at, sign, tail = len(x), x.mean(), abs(tau), 1 if tau >= 0 else -1, 0.5 - confidence / 2
    plain = tau == 0 and target is None
    doubt, psi = False, np.zeros(n)
    if target is not None:
        sign, goal = 1 if target >= mean else -1, target
    elif tau == 0:
        goal, psi = mean, x - mean
    else:
        end, slope, doubt_from, moves_with, moving = end_of_tau(x, sign, alpha)
        doubt = at >= doubt_from
        goal = end if at == 1 else mean + at * sign * (sign * (end - mean))
        psi = (1 - at + at * moves_with) * (x - mean) + at * sign * slope * moving
    w = np.full(n, 1 / n) if plain else tilt(x, goal, np.ones(n))

    if kind == "rate":
        below = w @ bottom
        if not below > 0:
            return Cell(np.nan, np.nan, np.nan, "undefined", goal, psi.std() / np.sqrt(n))
        value = (w @ top) / below
        g = (top - value * bottom) / below
    else:
        centre = w @ values
        value, g = {
            "mean": lambda: (centre, values - centre),
            "score": lambda: (centre, values - centre),
            "variance": lambda: (v := w @ (values - centre) ** 2, (values - centre) ** 2 - v),
            "rmse": lambda: (r := np.sqrt(w @ values**2), (values**2 - r**2) / (2 * r)),
        }[kind]()
    distance = x - goal
    spread = w @ distance**2
    moves = not plain and spread > 1e-20 * x.var()
    follows = (w @ (g * distance)) / spread if moves else 0.0
    residual = g - follows * distance
    squares = np.sum((w * residual) ** 2)
    leverage = w * (1 + (distance**2 / spread if moves else 0))
    mean_leverage = np.sum((w * residual) ** 2 * leverage) / squares if squares > 0 else 0.0
    residual_variance = squares / (1 - min(mean_leverage, 0.9)) ** 2
    if plain:
        residual_variance = squares * (1 if kind == "rate" else n / (n - 1))
    variance = residual_variance + (0 if plain else follows**2 * psi.var() / n)
    rest = residual_variance / variance if variance > 0 else 1.0
    df = max(np.sum(w**2) ** 2 / np.sum(w**4), 1)
    whole_df = df / max(rest, 1e-3) ** 2  # Satterthwaite: the targets' part has all the rows
    ess = 1 / np.sum(w**2)

    def effective(part):
        return (w @ part) ** 2 / (w**2 @ part**2) if w @ part > 0 else 0.0

    def t_at(freedom):
        return student.ppf(1 - tail, max(freedom, 1))

    events = others = made_of = np.inf
    if kind == "rate":
        events, others = effective(top), effective(bottom - top)
        inside = 1e-12 < value < 1 - 1e-12
        grown = max(t_at(whole_df) / t_at(n), 1) ** 2
        event = grown / effective(bottom)
        unseen = (1 + (ess / n) ** 2) / 2 if inside else 1.0

        def end(share):
            if share >= 1 - 1e-12:
                return 1.0
            mean = (share + event * (share + unseen * (1 - share))) / (1 + event)
            of_beta = (variance * grown * inside + unseen * event**2 * (1 - share)) / (1 + event) ** 2 / (1 + 2 * event)
            total = mean * (1 - mean) / of_beta - 1
            if total < 1e-9:  # 0 or 1, nothing between
                return float(mean > tail)
            return beta.ppf(1 - tail, mean * total, (1 - mean) * total)

        lower, upper = 1 - end(1 - value), end(value)
    elif kind == "mean":
        lower, upper = value - t_at(whole_df) * np.sqrt(variance), value + t_at(whole_df) * np.sqrt(variance)
    elif kind == "score":
        events, others = ess * value, ess * (1 - value)
        half = t_at(whole_df / 2) * np.sqrt(variance) / (value * (1 - value))
        lower, upper = expit(logit(value) - half), expit(logit(value) + half)
    else:
        made_of = effective((values - centre) ** 2 if kind == "variance" else values**2)
        half = t_at(min(whole_df, made_of / 5) / 2) * np.sqrt(variance) / value
        lower, upper = value * np.exp(-half), value * np.exp(half)
    if kind != "rate" and ess < 3:
        lower = upper = np.nan

    there = np.inf if plain else np.sum(sign * distance >= -1e-12 * np.maximum(1, abs(goal)))
    squared = {"variance": lambda: (values - values.mean()) ** 2, "rmse": lambda: values**2}.get(kind)
    rules = [
        ("few_rows_beyond", there < 1),
        ("few_rows_carry_all", ess < 3),
        ("end_in_doubt", doubt),
        ("some_rows_carry_all", df < 3),
        ("heavy_weights", kind != "rate" and df < 100 and not pareto_khat(w) <= 0.7),
        ("heavy_tail", squared is not None and (tail := pareto_khat(squared())) > 0.4),
        ("some_rows_beyond", there < (15 if squared is None else 50)),
        ("some_rows_carry_all", df < 10),
        ("few_events", events < 10 and events <= others),
        ("few_non_events", others < 10),
        ("few_spread_rows", made_of < 40),
        ("some_tail", squared is not None and tail > 0.25),
        ("long_tail", not plain and df < 100 and longer_than_normal(w) > 1.4 and pareto_khat(w) > 0.5),
        ("none", True),
    ]
    reason = next(name for name, holds in rules if holds)
    return Cell(value, lower, upper, reason, goal, psi.std() / np.sqrt(n))
