"""Feature effects asked of generated rows, beside loops over rows and points that ask the model itself."""

import datetime
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize_scalar

import tauscope as ts
from hostile.cases import CONTAINERS, base_of, make_case as make_any_case, numbers_of
from hostile.models import additive, answer, answers, columns_of, missing, probabilities

SIZES = [{"epsilon": 0.1}, {"epsilon": 1.0}, {"kl": 0.3}, {"ratio": 1.5}]


def make_case(seed):
    return make_any_case(seed, CONTAINERS[:4], fewest=2)


def study_of(case, rng):
    """Give a study of a function of the rows: values, or probabilities of a class."""
    names = list(case.columns) if case.container == "numpy" else None
    model, task = (answers, "regression") if rng.random() < 0.6 else (probabilities, "binary")
    return ts.Study(model, case.X, sample_weight=case.weight, feature_names=names, task=task, progress=False)


class Asked:
    """The rows as lists, and the answer to a row with some of its values replaced."""

    def __init__(self, case, study):
        self.columns = columns_of(case.X)
        self.names = list(case.columns)
        self.base = base_of(case, study.n_rows)
        self.squash = study._task == "binary"

    def value_at(self, axis, place):
        """Give the value that a point of the grid stands for; None where it cannot be told from outside."""
        values, point = self.columns[self.names.index(axis.name)], axis.values.tolist()[place]
        if axis.unit == "days" and not missing(point):
            return (datetime.timedelta(days=point),)
        if axis.kind == "date":
            return None
        if isinstance(point, str):
            like = [value for value in values if str(value) == point]
            return (like[0],) if like else (None,) if point == "missing" else None
        return (None,) if missing(point) else (float(point),)

    def ask(self, row, **replaced):
        values = [replaced.get(name, column[row]) for name, column in zip(self.names, self.columns, strict=True)]
        told = answer(*values)
        return 1 / (1 + np.exp(-2 * told)) if self.squash else told

    def curves(self, name, points):
        """Give the answers (n_rows, n_points), each row asked at each point."""
        told = [[self.ask(row, **{name: point}) for point in points] for row in range(len(self.base))]
        return np.array(told)


def mean(values, weights):
    return weights @ values / weights.sum()


def choose(case, rng, numeric=False):
    names = [name for name in case.columns if not numeric or numbers_of(case, name) is not None]
    return str(rng.choice(names or list(case.columns)))


def points_of(asked, effect):
    """Give the values that the curve's points stand for; None where one cannot be told from outside."""
    found = [asked.value_at(effect._axes[0], place) for place in range(len(effect._axes[0]))]
    return None if None in found else [value for (value,) in found]


def same(got, expected):
    np.testing.assert_allclose(got, expected, rtol=1e-7, atol=1e-9)


def check_said(effect):
    """Nothing is missing without a word, and every interval is around its curve."""
    frame = effect.frame
    assert not frame.effect.isna().any() or effect.notes, "an effect is missing without a word"
    known = frame[frame.lower.notna() & frame.effect.notna()]
    assert (known.lower <= known.effect + 1e-9).all()
    assert (known.upper >= known.effect - 1e-9).all()


def check_dependence(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    effect = study.effect(name, grid=int(rng.choice([2, 5])), spacing=str(rng.choice(["quantile", "equidistant"])))
    check_said(effect)
    points = points_of(asked, effect)
    if points is not None:
        same(effect.frame.effect, mean(asked.curves(name, points), asked.base))


def check_dependence_of_two(case, study, rng):
    first, *_, second = case.columns
    asked = Asked(case, study)
    effect = study.effect([first, second], grid=3)
    check_said(effect)
    for place, got in rng.permutation(list(enumerate(effect.frame.effect)))[:3]:
        across, along = divmod(int(place), len(effect._axes[1]))
        x, z = asked.value_at(effect._axes[0], across), asked.value_at(effect._axes[1], along)
        if x is not None and z is not None:
            told = [asked.ask(row, **{first: x[0], second: z[0]}) for row in range(study.n_rows)]
            same(got, mean(np.array(told), asked.base))


def check_conditional(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    values = numbers_of(case, name)
    if values is None:
        check_said(study.effect(name, kind="cd", grid=4))
        return
    span = np.ptp(values[~np.isnan(values)]) if not np.isnan(values).all() else 1.0
    near = {"window": float(span * rng.uniform(0.05, 0.4))} if rng.random() < 0.7 else {"n_neighbors": 5}
    effect = study.effect(name, kind="cd", grid=4, **near)
    check_said(effect)
    for point, got in zip(effect.frame.value.tolist(), effect.frame.effect, strict=True):
        away = np.isnan(values) * 1.0 if np.isnan(point) else np.abs(values - point)
        rows = ~np.isnan(values) if np.isnan(point) else np.isnan(values)
        if "window" in near:
            inside = ~rows & (away <= (0 if np.isnan(point) else near["window"]))
            edge = not np.isnan(point) and (np.abs(away[~rows] - near["window"]) < 1e-6 * span).any()
        else:
            inside = ~rows & (away <= np.sort(np.where(rows, np.inf, away))[min(5, len(values)) - 1])
            edge = True
        if not edge and asked.base[inside].sum() > 0:
            told = [asked.ask(row, **{name: None if np.isnan(point) else point}) for row in np.flatnonzero(inside)]
            same(got, mean(np.array(told), asked.base[inside]))


def check_accumulated(case, study, rng):
    name, asked = choose(case, rng, numeric=True), Asked(case, study)
    effect = study.effect(name, kind="ale", grid=int(rng.choice([2, 4])))
    check_said(effect)
    values = numbers_of(case, name)
    if values is None:
        return
    edges = [edge for edge in effect._axes[0].points.tolist() if not np.isnan(edge)]
    inside = (values >= edges[0]) & (values <= edges[-1])
    curve = [0.0]
    for place, (low, high) in enumerate(pairwise(edges)):
        rows = np.flatnonzero((values <= high) & ((values > low) | ((place == 0) & (values == low))))
        change = np.array([asked.ask(row, **{name: high}) - asked.ask(row, **{name: low}) for row in rows])
        curve.append(curve[-1] + (mean(change, asked.base[rows]) if asked.base[rows].sum() > 0 else 0.0))
    if asked.base[inside].sum() > 0:
        centre = mean(np.interp(values[inside], edges, curve), asked.base[inside])
        same(effect.frame.effect[effect.frame.value.notna()], np.array(curve) - centre)


def check_interaction(case, study, rng):
    """Of a sum of parts there is no interaction."""
    names = [name for name in case.columns if numbers_of(case, name) is not None]
    effect = study.with_model(additive).effect([names[0], names[-1]] if names else [0, 0], kind="ale", grid=3)
    check_said(effect)
    assert np.nanmax(np.abs(effect.frame.effect), initial=0) < 1e-7


def check_derivative(case, study, rng):
    check_said(study.effect(choose(case, rng), kind="dale", grid=3))


def check_effects(case, study, rng):
    for one in study.effects(grid=3, progress=False):
        check_said(one)


def highest_mean(values, weights, size):
    """Give the highest mean of values under weights that differ by so much, one row after the other."""
    share = weights / weights.sum()
    order = np.argsort(values)
    if "kl" in size:
        counted = share > 0
        top = values[counted].max()
        if -np.log(share[counted][values[counted] == top].sum()) <= size["kl"]:
            return top

        def dual(log_t):
            t = np.exp(log_t)
            return t * size["kl"] + top + t * np.log(share[counted] @ np.exp((values[counted] - top) / t))

        return minimize_scalar(dual, bounds=(-25, 15), method="bounded", options={"xatol": 1e-10}).fun
    if "ratio" in size:
        left, total = 1.0, 0.0
        for row in order[::-1]:
            taken = min(left, share[row] * size["ratio"])
            left, total = left - taken, total + taken * values[row]
        return total
    left, moved = size["epsilon"], share.copy()
    for row in order:
        taken = min(left, moved[row])
        left, moved[row] = left - taken, moved[row] - taken
    moved[order[-1]] += size["epsilon"] - left
    return moved @ values


def check_bounds(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    size = SIZES[int(rng.integers(len(SIZES)))]
    effect = study.effect(name, grid=3)
    frame = effect.bounds(**size).frame
    assert (frame.certified_lower <= frame.effect + 1e-9).all()
    assert (frame.certified_upper >= frame.effect - 1e-9).all()
    points = points_of(asked, effect)
    if points is not None and (case.weight is None or (case.weight > 0).all()):
        for curve, low, high in zip(
            asked.curves(name, points).T, frame.certified_lower, frame.certified_upper, strict=True
        ):
            np.testing.assert_allclose(high, highest_mean(curve, asked.base, size), rtol=1e-6, atol=1e-6)
            np.testing.assert_allclose(low, -highest_mean(-curve, asked.base, size), rtol=1e-6, atol=1e-6)


def check_other_bounds(case, study, rng):
    """No reweighting within the distance leaves the band of another kind of curve."""
    name = choose(case, rng)
    kind = str(rng.choice(["cd", "ale", "dale"]))
    effect = study.effect(name, kind=kind, grid=4)
    frame = effect.bounds(0.2).frame
    assert (frame.certified_lower.isna() == frame.effect.isna()).all()
    base = effect._computed.sample_weight / effect._computed.sample_weight.sum()
    for _ in range(3):
        other = rng.dirichlet(np.full(len(base), 0.3)) * (base > 0)
        mixed = base + 0.2 * (other / other.sum() - base)
        moved = effect._computed.reweighted(mixed * len(base)).effect.reshape(-1)
        if kind == "cd":
            assert (moved >= frame.certified_lower - 1e-9)[~np.isnan(moved)].all()
            assert (moved <= frame.certified_upper + 1e-9)[~np.isnan(moved)].all()


def check_breakdown(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    effect = study.effect(name, grid=4)
    found = effect.breakdown()
    assert 0 <= found.epsilon <= 1 or found.epsilon == np.inf
    points = points_of(asked, effect)
    if points is None or found.epsilon == np.inf or (case.weight is not None and (case.weight == 0).any()):
        return
    low, high = (effect._axes[0].labels.index(end) for end in (found.low, found.high))
    curves = asked.curves(name, points)
    change = (curves[:, high] - curves[:, low]) * np.sign(found.difference)
    least = -highest_mean(-change, asked.base, {"epsilon": found.epsilon})
    assert abs(least) < 1e-7 * max(1, np.abs(change).max()), f"the difference is {least} there, and not 0"


def check_under(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    stress = ts.Mean(choose(case, rng, numeric=True), tau=float(rng.choice([-0.6, 0.4])))
    effect = study.effect(name, grid=3)
    shift = effect.under(stress)
    points = points_of(asked, effect)
    if points is not None:
        weights = study.reweight(stress).weights
        same(shift.frame.moved, mean(asked.curves(name, points), weights))
        same(study.under(stress).effect(name, grid=3).frame.effect, shift.frame.moved)
    frame = shift.frame
    assert frame.certified_lower.le(frame.moved + 1e-8).all()
    assert frame.certified_upper.ge(frame.moved - 1e-8).all()


def check_compare(case, study, rng):
    name, kind = choose(case, rng), str(rng.choice(["pd", "cd", "ale"]))
    effect = study.effect(name, kind=kind, grid=4)
    frame = effect.compare(lambda X: 0.4 * probabilities(X) + 0.1, progress=False).frame
    known = frame[frame.change.notna()]
    assert (known.change.abs() <= known.bound + 1e-9).all()
    assert (known.change.abs() <= known.pointwise + 1e-9).all()


def check_regions(case, study, rng):
    effect = study.effect(choose(case, rng), grid=4)
    regions = effect.regions(min_reduction=0.0)
    if regions._computed.status != "split":
        return
    first, second = regions.mask(0), regions.mask(1)
    assert not (first & second).any()
    assert (first | second).all()
    curves = effect._computed.curves()[0]
    weights = effect._computed.sample_weight
    shapes = curves - curves.mean(axis=1, keepdims=True)
    spread = [
        weights[rows].sum() * np.average((shapes[rows] - mean(shapes[rows], weights[rows])) ** 2, 0, weights[rows])
        for rows in (np.ones(len(first), bool), first, second)
        if weights[rows].sum() > 0
    ]
    same(regions._computed.reduction, 1 - sum(part.sum() for part in spread[1:]) / spread[0].sum())


def check_attack(case, study, rng):
    name, asked = choose(case, rng), Asked(case, study)
    method = str(rng.choice(["greedy", "gaussian"]))
    options = {"sigma": [0.5], "repeats": 1} if method == "gaussian" else {"n_candidates": 4}
    attack = study.attack(name, method, grid=3, random_state=0, progress=False, **options)
    assert attack.attack.changed <= (1 if method == "gaussian" else 0.1) + 1e-9
    verdicts = attack.verdicts
    assert verdicts[verdicts.status == "certified"].holds.all()
    value = asked.value_at(attack.before._axes[0], attack._place)
    if value is not None:
        rows = columns_of(attack.perturbed_rows())
        asked.columns = rows
        told = [asked.ask(row, **{name: value[0]}) for row in range(study.n_rows)]
        same(attack.attack.after, mean(np.array(told), asked.base))


VERBS = (
    check_dependence, check_dependence_of_two, check_conditional, check_accumulated, check_interaction,
    check_derivative, check_effects, check_bounds, check_other_bounds, check_breakdown, check_under, check_compare,
    check_regions, check_attack,
)  # fmt: skip
