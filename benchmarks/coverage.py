"""How often 95 % intervals hold the population's own number, and how wide they are, by their reliability.

Each sample is judged by the label that it shows itself, as a person sees it, and not by that of a typical sample.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import tauscope as ts
from populations import IMAGES, MAKERS, Population, population
from report import Row
from tauscope.errors import TauscopeError
from tauscope.stress.reliability import LEVEL_OF, LEVELS

SIZES = (300, 1000, 3000)
N_SAMPLES = 200
TAUS = [-1.0, -0.5, 0.0, 0.5, 1.0]
NORMAL = 1.959963984540054
MOST_MISSED, MOST_MISSED_DECILE = 0.07, 0.10
"""Of intervals called reliable: on average, and in the tenth of cells that misses most."""
WIDEST_MEAN = 1.2
"""Half an interval that is called reliable over 1.96 standard deviations of the number over samples: geometric mean."""
FEW = 50
"""Samples called reliable that a cell needs to be among those compared."""
WIDEST = 3
"""Populations of the cases that take longest."""


class Answers(NamedTuple):
    """Numbers of one kind for one sample, each of shape (n_metrics, n_cells).

    Attributes
    ----------
    metrics : tuple of str
    value, lower, upper : ndarray
    level : ndarray of int8
        Place among `LEVELS`.
    """

    metrics: tuple[str, ...]
    value: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    level: np.ndarray


@dataclass(frozen=True)
class Case:
    """One way to ask, and of which populations.

    Attributes
    ----------
    name : str
    answer : callable
        Study and population to Answers.
    populations : tuple of str
    """

    name: str
    answer: Callable[[ts.Study, Population], Answers]
    populations: tuple[str, ...]


def _cells(array: np.ndarray) -> np.ndarray:
    return array.reshape(len(array), -1)


def _curves(study: ts.Study, whole: Population, **options: object) -> Answers:
    curves = study.stress_curves(list(whole.columns), taus=TAUS, progress=False, **options)._curves
    parts = (np.moveaxis(part, 1, 0) for part in (curves.value, curves.lower, curves.upper, LEVEL_OF[curves.reason]))
    return Answers(tuple(metric.name for metric in curves.metrics), *map(_cells, parts))


def _held(study: ts.Study, whole: Population) -> Answers:
    return _curves(study, whole, hold="uncorrelated", hold_features=list(whole.columns)[:2])


def _surface(study: ts.Study, whole: Population) -> Answers:
    surface = study.stress_surface(*list(whole.columns)[:2], taus=TAUS, progress=False)._surface
    parts = (surface.value, surface.lower, surface.upper, LEVEL_OF[surface.reason])
    return Answers(tuple(metric.name for metric in surface.metrics), *map(_cells, parts))


def _of_frame(frame: object) -> Answers:
    table = frame.set_index("metric")
    parts = (table[name].to_numpy(float)[:, None] for name in ("value", "lower", "upper"))
    level = np.array([[LEVELS.index(word)] for word in table["reliability"]])
    return Answers(tuple(table.index), *parts, level)


def _joint(study: ts.Study, whole: Population) -> Answers:
    first, second = list(whole.columns)[:2]
    return _of_frame(study.joint_stress([first, second]).at({first: 0.5, second: -0.4}).metrics)


def _units(study: ts.Study, whole: Population) -> Answers:
    values = whole.columns.iloc[:, 0]
    target = float(values.mean() + 0.5 * (values.quantile(0.95) - values.mean()))
    return _of_frame(study.reweight(ts.Mean(whole.columns.columns[0], target=target)).metrics)


def _subgroup(study: ts.Study, whole: Population) -> Answers:
    edge = float(whole.columns.iloc[:, 1].median())
    rows = study.X.iloc[:, 1].to_numpy() <= edge
    return _curves(study.where(rows), Population(whole.columns.iloc[:, :2], whole.y, whole.predicted, whole.score))


def _image(study: ts.Study, whole: Population) -> Answers:
    curves = study.stress_image((8, 8))._curves
    parts = (np.moveaxis(part, 1, 0) for part in (curves.value, curves.lower, curves.upper, LEVEL_OF[curves.reason]))
    return Answers(tuple(metric.name for metric in curves.metrics), *map(_cells, parts))


def _harm(study: ts.Study, whole: Population) -> Answers:
    curves = study.stress_curves(list(whole.columns), taus=TAUS, progress=False)
    table = curves.harm("rmse" if whole.is_regression else "error_rate").frame
    table = table.set_index(["feature", "direction"]).sort_index()
    parts = (table[name].to_numpy(float)[None] for name in ("change", "lower", "upper"))
    level = [[LEVELS.index(word) if word in LEVELS else -1 for word in table["reliability"]]]
    return Answers(("change",), *parts, np.array(level))


CASES = (
    Case("curves", _curves, tuple(MAKERS)),
    Case("curves, two columns held", _held, tuple(MAKERS)[:WIDEST]),
    Case("joint stress", _joint, tuple(MAKERS)),
    Case("reweighting to a mean in units", _units, tuple(MAKERS)),
    Case("surface", _surface, tuple(MAKERS)[:WIDEST]),
    Case("image", _image, tuple(IMAGES)),
    Case("harm of shifts of one size", _harm, tuple(MAKERS)),
    Case("curves of a subgroup", _subgroup, ("adult", "made classes", "hours worked")),
)


class Tally(NamedTuple):
    """What came out for one metric of one population and size: each of shape (n_samples, n_cells).

    Attributes
    ----------
    size : int
    metric : str
    held : ndarray of bool
    level : ndarray of int8
        Place among `LEVELS`; -1 where there is no interval.
    width : ndarray
        Half the interval over 1.96 standard deviations of the number over the samples.
    """

    size: int
    metric: str
    held: np.ndarray
    level: np.ndarray
    width: np.ndarray


def tally(case: Case, sizes: tuple[int, ...] = SIZES, n_samples: int = N_SAMPLES) -> Iterator[Tally]:
    """Draw samples of each population and see which intervals hold its number."""
    for name in case.populations:
        whole = population(name)
        try:
            truth = case.answer(whole.study(), whole)
        except TauscopeError:  # two columns of which one follows from the other cannot be moved apart
            continue
        for size in sizes:
            rng = np.random.default_rng([size, *name.encode()])
            held, level, value, width = [], [], [], []
            for _ in range(n_samples):
                rows = rng.integers(0, len(whole.y), size)
                try:
                    answers = case.answer(whole.study(rows), whole)
                except TauscopeError:  # a level that no row has, a target beyond these rows: no number was shown
                    continue
                if answers.metrics != truth.metrics or answers.value.shape != truth.value.shape:
                    continue
                held.append((answers.lower <= truth.value) & (truth.value <= answers.upper))
                value.append(answers.value)
                width.append((answers.upper - answers.lower) / 2)
                level.append(np.where(np.isnan(answers.lower) | np.isnan(truth.value), -1, answers.level))
            if not held:
                continue
            spread = NORMAL * np.std(np.stack(value), axis=0)
            relative = np.stack(width) / np.where(spread > 0, spread, np.nan)
            for i, metric in enumerate(truth.metrics):
                yield Tally(size, metric, np.stack(held)[:, i], np.stack(level)[:, i], relative[:, i])


def measure(sizes: tuple[int, ...] = SIZES, n_samples: int = N_SAMPLES) -> list[Row]:
    """Share of intervals that miss, and their width, by way to ask, metric and label."""
    return [row for case in CASES for row in _rows(case, list(tally(case, sizes, n_samples)))]


def _rows(case: Case, tallies: list[Tally]) -> Iterator[Row]:
    kinds = {metric: _kind(metric) for metric in dict.fromkeys(one.metric for one in tallies)}
    for kind in dict.fromkeys(kinds.values()):
        same = [one for one in tallies if kinds[one.metric] == kind]
        held, level = (
            np.concatenate([one.held.ravel() for one in same]),
            np.concatenate([one.level.ravel() for one in same]),
        )
        shares = [float((level == code).sum() / (level >= 0).sum()) for code in range(3)]
        missed = [float(1 - held[level == code].mean()) if (level == code).any() else np.nan for code in range(3)]
        cells = np.concatenate([_missed_by_cell(one) for one in same])
        widths = np.concatenate([_width_by_cell(one) for one in same])
        by_size = ", ".join(f"{size}: {_missed(same, size):.3f}" for size in dict.fromkeys(one.size for one in same))
        note = (
            f"of {int((level == 0).sum()):,} intervals, nominal .05; by rows {by_size}; "
            f"{shares[0]:.0%} reliable; wide {shares[1]:.0%}, {missed[1]:.3f} miss; "
            f"unreliable {shares[2]:.0%}, {missed[2]:.3f} miss"
        )
        yield Row(f"{case.name}, {kind}: reliable intervals that miss", "", missed[0], at_most=MOST_MISSED, note=note)
        if len(cells):
            decile = float(np.quantile(cells, 0.9))
            note = f"of {len(cells):,} cells with at least {FEW} samples called reliable"
            yield Row(
                f"{case.name}, {kind}: in the worst tenth of cells", "", decile, at_most=MOST_MISSED_DECILE, note=note
            )
        if len(widths):
            note = (
                "of the same cells, 1 is 1.96 standard deviations of the number over samples; "
                f"median {np.median(widths):.2f}, widest tenth {np.quantile(widths, 0.9):.2f}"
            )
            typical = float(np.exp(np.log(widths).mean()))  # an average would be that of a share near 0 alone
            yield Row(f"{case.name}, {kind}: half widths", "", typical, at_most=WIDEST_MEAN, note=note)


def _kind(metric: str) -> str:
    return "portions" if metric.startswith("portion_") else metric.replace("_", " ")


def _missed(tallies: list[Tally], size: int) -> float:
    good = [one.held[one.level == 0] for one in tallies if one.size == size]
    held = np.concatenate(good) if good else np.zeros(0)
    return float(1 - held.mean()) if len(held) else np.nan


def _missed_by_cell(one: Tally) -> np.ndarray:
    good = one.level == 0
    enough = good.sum(axis=0) >= FEW
    return 1 - (one.held & good).sum(axis=0)[enough] / good.sum(axis=0)[enough]


def _width_by_cell(one: Tally) -> np.ndarray:
    good = one.level == 0
    n_good, total = good.sum(axis=0), np.where(good, one.width, 0.0).sum(axis=0)
    enough = (n_good >= FEW) & np.isfinite(total) & (total > 0)
    return total[enough] / n_good[enough]
