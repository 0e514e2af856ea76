"""Verbs of the stress engine asked of generated rows, and their answers by definition."""

import numpy as np

import tauscope as ts
from hostile.cases import base_of, make_case, numbers_of
from hostile.oracles import is_tilt_of, keep_missing, least_share, tilted_shares

__all__ = ["VERBS", "make_case", "study_of"]
FAR_OFF = {"int64 code", "negative code", "float32 code", "two codes", "heavy", "Pareto"}


def study_of(case, rng):
    """Give a study of the case's rows, with labels and answers by chance."""
    n = len(next(iter(case.columns.values())))
    y, predicted = rng.integers(0, 2, size=n), rng.integers(0, 2, size=n)
    y[:2] = 0, 1
    names = list(case.columns) if case.container in ("numpy", "sparse") else None
    return ts.Study.from_predictions(
        case.X, y, predicted, sample_weight=case.weight, feature_names=names, classes=(0, 1)
    )


def check_numbers(frame):
    """No silent NaN, nothing outside of what it can be."""
    empty = frame.value.isna()
    assert (frame.reliability[empty] == "unreliable").all(), "a number is missing without a word"
    assert (frame.note[frame.ess.isna()] != "").all(), "weights are missing without a word"
    shares = frame[~empty & ~frame.metric.str.startswith("mean")]
    assert shares.value.between(-1e-9, 1 + 1e-9).all()
    assert (frame.lower[~empty & frame.lower.notna()] <= frame.value[~empty & frame.lower.notna()] + 1e-9).all()


def check_curves(case, study, rng):
    taus = sorted({*rng.choice([-1, -0.9, -0.4, 0.3, 0.95, 1.0], size=3), 0.0})
    features = list(case.columns)[:2] if case.container == "sparse" else None
    result = study.stress_curves(features, taus=taus, quantile=float(rng.choice([0.01, 0.05, 0.3])))
    frame = result.frame
    check_numbers(frame)
    for name in set(result.feature_names) & set(case.columns):
        values = numbers_of(case, name)
        if values is not None:
            for _, cell in frame[(frame.feature == name) & (frame.metric == "portion_1")].iterrows():
                check_cell(case, study, values, cell)


def check_cell(case, study, values, cell):
    base = base_of(case, len(values))
    seen = ~np.isnan(values) & (base > 0)
    if not values[seen].min() < cell.target < values[seen].max():
        return
    if cell.tau == 0:
        shares = base / base.sum()
    else:
        of_observed = np.zeros(len(values))
        of_observed[seen] = tilted_shares(values[seen], cell.target, base[seen])
        shares = keep_missing(values, of_observed[~np.isnan(values)], base)
    assert abs(cell.ess * (shares @ shares) - 1) < 1e-5, f"ess {cell.ess}, by definition {1 / (shares @ shares)}"
    portion = shares @ (study.predicted == 1)
    assert abs(cell.value - portion) < 1e-6, f"portion {cell.value}, by definition {portion}"


def check_mean(case, study, rng):
    name = str(rng.choice(list(case.columns)))
    values = numbers_of(case, name)
    if values is None or np.isnan(values).all():
        study.reweight(ts.Mean(name, tau=0.5))
        return
    base = base_of(case, len(values))
    seen = ~np.isnan(values) & (base > 0)
    low, high = values[seen].min(), values[seen].max()
    target = float(np.quantile(values[seen], rng.uniform(0.1, 0.9)) if rng.random() < 0.6 else rng.uniform(low, high))
    try:
        answer = study.reweight(ts.Mean(name, target=target))
    except ts.InfeasibleTarget:
        assert not low < target < high or low == high, "a target between the extremes is within reach"
        return
    if low < target < high and answer.status == "solved":
        of_observed = np.zeros(len(values))
        of_observed[seen] = tilted_shares(values[seen], target, base[seen])
        shares = keep_missing(values, of_observed[~np.isnan(values)], base)
        assert abs(answer.ess * (shares @ shares) - 1) < 1e-5, (
            f"ess {answer.ess}, by definition {1 / (shares @ shares)}"
        )
    inside = min(target - low, high - target) > 1e-9 * (high - low) or np.median(values[seen]) not in (low, high)
    assert answer.status == "solved" or not (low < target < high and inside), f"{answer.status}: {answer.message}"


def check_joint(case, study, rng):
    names = [name for name in case.columns if numbers_of(case, name) is not None and study.n_rows > 2]
    phi = np.column_stack([numbers_of(case, name) for name in names]) if len(names) > 1 else np.zeros((0, 0))
    base = base_of(case, study.n_rows)
    if len(names) < 2 or not np.isfinite(phi).all():
        return
    share = rng.dirichlet(np.full(len(phi), 0.5)) * (base > 0)
    target = (share / share.sum()) @ phi * (1.0 if rng.random() < 0.7 else 1.5)
    stress = ts.Mean(names[0], target=float(target[0]))
    for name, mean in zip(names[1:], target[1:].tolist(), strict=True):
        stress = stress & ts.Mean(name, target=mean)
    far_off = bool(FAR_OFF & set(case.kinds))  # linear programs in plain floats are no oracle there
    rows = base > 0
    try:
        answer = study.reweight(stress)
    except ts.InfeasibleTarget:
        least = None if far_off else least_share(phi[rows], target)
        assert least is None or least < 1e-7, f"within reach, with shares of {least}"
        return
    if answer.status == "unconverged":
        assert far_off, answer.message
        return
    reached = answer.weights @ (phi - target) / len(phi)
    size = np.maximum(phi[rows].std(0), np.abs(target) * 1e-9)
    assert (np.abs(reached) <= 1e-7 * size).all(), f"{answer.status}, off by {reached / size}"
    if answer.status == "solved" and not far_off:
        assert is_tilt_of(answer.weights, base, phi, target) < 1e-4
    if answer.status == "limit" and not far_off:
        least = least_share(phi[rows], target)
        assert least is None or least < 1e-6, f"no limit: every row may have {least}"


def check_surface(case, study, rng):
    names = list(case.columns)
    first, second = names[0], names[-1]
    result = study.stress_surface(first, second, taus=[-1, 0, 0.5])
    frame = result.frame
    check_numbers(frame)
    cell = frame[(frame.metric == "portion_1") & (frame.status == "solved")]
    if len(cell):
        cell = cell.iloc[int(rng.integers(len(cell)))]
        answer = study.reweight(ts.Mean(first, target=cell.target_1) & ts.Mean(second, target=cell.target_2))
        if answer.status == "solved":
            assert abs(answer.ess / cell.ess - 1) < 1e-4, f"ess {cell.ess} in the surface, {answer.ess} reweighted"


def check_image(case, study, rng):
    result = study.stress_image((1, len(case.columns)), taus=3)
    assert np.isfinite(result._curves.ess).any()


def check_held(case, study, rng):
    name = str(rng.choice(list(case.columns)))
    hold = str(rng.choice(["means", "uncorrelated"]))
    check_numbers(study.stress_curves(name, taus=3, hold=hold).frame)


def check_variance(case, study, rng):
    name = str(rng.choice(list(case.columns)))
    answer = study.reweight(ts.Variance(name, scale=float(rng.choice([0.5, 0.8, 1.3]))))
    assert np.isfinite(answer.weights).all()
    assert answer.status != "solved" or answer.residual < 1e-6


VERBS = (check_curves, check_mean, check_joint, check_surface, check_image, check_held, check_variance)
