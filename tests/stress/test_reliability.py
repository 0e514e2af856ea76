"""Whether intervals in cells that a sample shows as reliable hold the population's value, and others are not so."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta

import tauscope as ts
from tauscope.stress.curves import stress_curves
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.reliability import CODES, LEVEL_OF, LEVELS, REASONS

TAUS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
N, SAMPLES, POPULATION = 1000, 150, 200_000


def population(task, rng):
    """A skewed, a heaped and a normal column, all of which the answers depend on, one of them with a bend."""
    x = np.stack([rng.gamma(2, size=POPULATION), rng.poisson(2, POPULATION) * 1.0, rng.normal(size=POPULATION)])
    lean = np.sin(x[0]) + 0.4 * x[1] - x[2] - 1
    if task == "regression":
        return x, Outcomes("regression", lean, lean + rng.normal(size=POPULATION) * (0.5 + 0.2 * x[1]))
    chance = 1 / (1 + np.exp(-1.5 * lean))
    truth = (rng.random(POPULATION) < chance).astype(np.int64)
    return x, Outcomes("binary", (chance > 0.6).astype(np.int64), truth, chance, ("0", "1"))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "regression"])
def test_reliable_cells_cover(task):
    rng = np.random.default_rng(11)
    x, outcomes = population(task, rng)
    truth = stress_curves(list(x), outcomes, taus=TAUS).value
    hits, n_reliable = np.zeros(truth.shape), np.zeros(truth.shape)
    for _ in range(SAMPLES):
        rows = rng.integers(0, POPULATION, N)
        curves = stress_curves([each[rows] for each in x], outcomes.take(rows), taus=TAUS)
        reliable = LEVEL_OF[curves.reason] == LEVELS.index("reliable")
        hits += reliable & (curves.lower <= truth) & (truth <= curves.upper)
        n_reliable += reliable
    assert n_reliable.sum() > 0.5 * SAMPLES * truth.size
    assert hits.sum() / n_reliable.sum() >= 0.93
    often = n_reliable >= SAMPLES / 2
    assert np.quantile((hits / np.maximum(n_reliable, 1))[often], 0.1) >= 0.9


LONG_TAILS = {
    "lognormal": lambda rng, n: rng.lognormal(size=n),
    "Pareto": lambda rng, n: rng.pareto(2.5, size=n),
    "Student's t": lambda rng, n: rng.standard_t(3, size=n),
    "Weibull": lambda rng, n: rng.weibull(0.5, size=n),
}
SHORT_TAILS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "gamma": lambda rng, n: rng.gamma(2, size=n),
    "counts": lambda rng, n: rng.poisson(2, n) * 1.0,
    "normal with gaps": lambda rng, n: np.where(rng.random(n) < 0.45, np.nan, rng.normal(size=n)),
    "rare level": lambda rng, n: (rng.random(n) < 0.06) * 1.0,
}


def levels_of_rates(draw, n, taus):
    """Return the level, and whether it is for a long tail, of rates that follow the column and of others."""
    levels, of_long_tail = [], []
    for seed in range(60):
        rng = np.random.default_rng([seed, n])
        x = draw(rng, n)
        lean = np.clip(np.nan_to_num((x - np.nanmedian(x)) / np.nanstd(x)), -3, 3) + rng.normal(size=n)
        truth = (lean + 0.5 * rng.normal(size=n) > 0).astype(np.int64)
        outcomes = Outcomes("binary", (lean > 0).astype(np.int64), truth, None, ("0", "1"))
        reason = stress_curves([x], outcomes, taus=np.array(taus), metrics=["portion_1", "error_rate"]).reason[0]
        levels.append(LEVEL_OF[reason])
        of_long_tail.append(reason == CODES["long_tail"])
    return np.array(levels), np.array(of_long_tail)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "most"), [(1000, 0.3), (4000, 0.05)])
@pytest.mark.parametrize("kind", LONG_TAILS)
def test_shifts_of_long_tails_are_rarely_reliable(kind, n, most):
    levels, _ = levels_of_rates(LONG_TAILS[kind], n, [0.5])
    assert (levels == LEVELS.index("reliable")).mean() <= most


@pytest.mark.slow
@pytest.mark.parametrize("n", [300, 1000, 4000])
@pytest.mark.parametrize("kind", SHORT_TAILS)
def test_shifts_of_short_tails_do_not_become_unreliable(kind, n):
    levels, of_long_tail = levels_of_rates(SHORT_TAILS[kind], n, [-0.5, 0.5])
    assert of_long_tail.mean() < 0.03
    assert kind == "rare level" or (levels == LEVELS.index("reliable")).mean() > 0.5


@pytest.mark.slow
def test_intervals_of_long_tails_cover_less_than_those_called_reliable():
    """Of 200,000 rows, over columns of both kinds: the rate is 1 far out, where few samples have a row."""
    covered = {"reliable": [], "long_tail": []}
    for kind, draw in (LONG_TAILS | SHORT_TAILS).items():
        rng = np.random.default_rng([*kind.encode()])
        x = draw(rng, POPULATION)
        lean = np.nan_to_num((x - np.nanmedian(x)) / np.nanstd(x)) + rng.normal(size=POPULATION)
        outcomes = Outcomes("binary", (lean > 0).astype(np.int64), None, None, ("0", "1"))
        truth = stress_curves([x], outcomes, taus=TAUS, metrics=["portion_1"]).value
        for _ in range(40):
            rows = rng.integers(0, POPULATION, N)
            curves = stress_curves([x[rows]], outcomes.take(rows), taus=TAUS, metrics=["portion_1"])
            held = (curves.lower <= truth) & (truth <= curves.upper)
            covered["reliable"] += held[LEVEL_OF[curves.reason] == LEVELS.index("reliable")].tolist()
            covered["long_tail"] += held[curves.reason == CODES["long_tail"]].tolist()
    assert np.mean(covered["reliable"]) >= 0.92
    assert np.mean(covered["long_tail"]) < 0.8


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "regression"])
def test_few_rows_make_an_interval_wide_that_covers(task):
    """Samples of 40 rows, with two or three beyond the target and down to one degree of freedom."""
    rng = np.random.default_rng(12)
    x, outcomes = population(task, rng)
    metrics = ["mean", "bias"] if task == "regression" else ["error_rate", "portion_1", "mean_score"]
    truth = stress_curves(list(x), outcomes, taus=TAUS, metrics=metrics).value
    few = [code for code, reason in enumerate(REASONS) if reason.name in ("some_rows_beyond", "some_rows_carry_all")]
    held, seen = 0, 0
    for _ in range(SAMPLES):
        rows = rng.integers(0, POPULATION, 40)
        curves = stress_curves([each[rows] for each in x], outcomes.take(rows), taus=TAUS, metrics=metrics)
        here = np.isin(curves.reason, few)
        assert (LEVEL_OF[curves.reason[here]] == LEVELS.index("wide")).all()
        assert np.isfinite(curves.lower[LEVEL_OF[curves.reason] < LEVELS.index("unreliable")]).all()
        held += (here & (curves.lower <= truth) & (truth <= curves.upper)).sum()
        seen += here.sum()
    assert seen > 0.3 * SAMPLES * truth.size
    assert held / seen >= 0.92


LOSSES = ["log_loss", "brier_score_loss", "calibration_in_the_large"]


def rare_labels(n, n_positive, rng):
    """A classifier that is right of the rates, and a column that has nothing to do with it."""
    truth = np.repeat([1, 0], [n_positive, n - n_positive])
    odds = rng.normal(size=n) + truth + np.log(max(n_positive, 1) / n)
    score = 1 / (1 + np.exp(-odds))
    return rng.normal(size=n), Outcomes("binary", (score > 0.5).astype(np.int64), truth, score, ("0", "1"))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_positive", range(5))
@pytest.mark.parametrize("turned", [False, True])
def test_losses_that_rest_on_a_rare_class_are_unreliable(n_positive, turned, weighted):
    rng = np.random.default_rng([n_positive, turned, weighted])
    x, outcomes = rare_labels(1000, n_positive, rng)
    if turned:
        truth, score = 1 - outcomes.truth, 1 - outcomes.score
        outcomes = Outcomes("binary", (score > 0.5).astype(np.int64), truth, score, ("0", "1"))
    weight = rng.uniform(0.5, 1.5, 1000) if weighted else None
    curves = stress_curves([x], outcomes, taus=TAUS, metrics=LOSSES, sample_weight=weight)
    assert set(LEVEL_OF[curves.reason].ravel()) == {LEVELS.index("unreliable")}


@pytest.mark.parametrize("n_events", range(1, 5))
def test_errors_that_rest_on_rare_values_are_unreliable(n_events):
    rng = np.random.default_rng(n_events)
    truth = np.repeat([50.0, 0.0], [n_events, 1000 - n_events])
    outcomes = Outcomes("regression", 0.05 * n_events * np.exp(0.1 * rng.normal(size=1000)), truth)
    curves = stress_curves([rng.normal(size=1000)], outcomes, taus=TAUS, metrics=["bias", "mean_absolute_error"])
    assert set(LEVEL_OF[curves.reason].ravel()) == {LEVELS.index("unreliable")}


@pytest.mark.parametrize("n", [0, 4, 5, 19, 20, 40])
@pytest.mark.parametrize("task", ["binary", "multiclass"])
def test_a_loss_counts_its_errors(n, task):
    """Each class has 500 rows of which half of `n` are predicted wrongly, so that only the errors can be few."""
    n_classes = 2 if task == "binary" else 3
    truth = np.repeat(np.arange(n_classes), 500)
    wrong = np.zeros(len(truth), bool)
    for place in range(n):
        wrong[500 * (place % n_classes) + place] = True
    predicted = np.where(wrong, (truth + 1) % n_classes, truth)
    scores = np.full((len(truth), n_classes), 0.1)
    scores[np.arange(len(truth)), predicted] = 0.9
    names = tuple("abc"[:n_classes])
    score = scores[:, 1] / scores.sum(1) if task == "binary" else None
    outcomes = Outcomes(task, predicted, truth, score, names, scores=None if task == "binary" else scores)
    curves = stress_curves([np.arange(len(truth)) % 7.0], outcomes, taus=np.zeros(1), metrics=["log_loss"])
    name, level = ("too_few_errors", 2) if n < 5 else ("few_errors", 1) if n < 20 else ("none", 0)
    assert REASONS[curves.reason.item()].name == name
    assert LEVEL_OF[curves.reason].item() == level
    assert name == "none" or curves.amount.item() == pytest.approx(n)


@pytest.mark.slow
@pytest.mark.parametrize("metric", [*LOSSES, "roc_auc", "average_precision", "calibration_slope"])
def test_groups_of_thirty_rows_are_never_reliable(metric):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        truth = np.repeat([1, 0], [12, 18])
        score = 1 / (1 + np.exp(-2 * (truth - 0.5) - rng.normal(size=30)))
        frame = pd.DataFrame({"x": rng.normal(size=30)})
        study = ts.Study.from_predictions(frame, truth, y_score=score, classes=[0, 1])
        found = study.stress_curves("x", taus=[0.0], metrics=metric, progress=False).frame
        assert found["reliability"].item() in ("wide", "unreliable")


@pytest.mark.parametrize("rarer", [1, 3, 12, 200])
@pytest.mark.parametrize("reversed_order", [False, True])
def test_a_ranking_without_a_misordered_row_has_an_interval(rarer, reversed_order):
    """The exact end of a share of the rarer class of which no row was seen, by SciPy."""
    truth = np.repeat([1, 0], [rarer, 300])
    score = np.where((truth == 1) != reversed_order, 0.8, 0.2) + np.linspace(0, 0.1, len(truth))
    frame = pd.DataFrame({"x": np.arange(len(truth)) % 7.0})
    study = ts.Study.from_predictions(frame, truth, y_score=score, classes=[0, 1])
    metrics = ["roc_auc"] if reversed_order else ["roc_auc", "average_precision"]
    found = study.stress_curves("x", taus=[0.0], metrics=metrics, progress=False).frame
    end = beta.ppf(0.025, min(rarer, 300), 1)
    assert found["lower"].tolist() == pytest.approx([0.0 if reversed_order else end] * len(metrics))
    assert found["upper"].tolist() == pytest.approx([1 - end if reversed_order else 1.0] * len(metrics))
    assert set(found["reliability"]) == {"wide"}


@pytest.mark.slow
def test_spreads_of_heavy_tails_are_never_reliable():
    """Errors of three moments, whose squares have no variance; those of a normal distribution mostly are."""
    reliable = {"heavy": 0, "normal": 0}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=1000)
        for kind, noise in (
            ("heavy", rng.standard_t(3, 1000) * (1 + 0.3 * np.abs(x))),
            ("normal", rng.normal(size=1000)),
        ):
            curves = stress_curves([x], Outcomes("regression", x, x + noise), taus=np.zeros(1), metrics=["rmse"])
            reliable[kind] += int(LEVEL_OF[curves.reason].item() == 0)
    assert reliable["heavy"] == 0
    assert reliable["normal"] >= 30


@pytest.mark.slow
def test_intervals_of_unreliable_losses_cover_less_than_those_of_reliable_ones():
    rng = np.random.default_rng(4)
    n = 60_000
    x, lean = rng.normal(size=(2, n))
    chance = 1 / (1 + np.exp(4 - 1.2 * x - 0.6 * lean))
    truth = (rng.random(n) < chance).astype(np.int64)
    outcomes = Outcomes("binary", (chance > 0.5).astype(np.int64), truth, chance, ("0", "1"))
    whole = stress_curves([x], outcomes, taus=np.zeros(1), metrics=LOSSES).value
    held, told = [], []
    for size in (100, 300, 3000):
        for _ in range(60):
            rows = rng.integers(0, n, size)
            curves = stress_curves([x[rows]], outcomes.take(rows), taus=np.zeros(1), metrics=LOSSES)
            held.append(((curves.lower <= whole) & (whole <= curves.upper)).ravel())
            told.append(LEVEL_OF[curves.reason].ravel())
    held, told = np.concatenate(held), np.concatenate(told)
    covered = [held[told == level].mean() for level in range(3)]
    assert covered[2] < 0.9
    assert min(covered[:2]) >= 0.93
