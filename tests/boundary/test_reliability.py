"""The level of an explanation: each reason, their order, and what the rules find on two moons."""

from dataclasses import fields, replace

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.neighbors import KNeighborsClassifier

from boundary.problems import euclidean, linear
from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect import inspect_boundary
from tauscope.boundary.planes.inspection import Diagnostics, Inspection, Paths
from tauscope.boundary.reliability import LEVELS, REASONS, judge
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits
from tauscope.prediction.rows import ArrayRows

GOOD = {
    "balance": 0.5,
    "faithfulness": 0.95,
    "balanced_accuracy": 0.95,
    "cosine": 0.9,
    "crossing_ratio": 0.9,
    "plane_ratio": 0.9,
    "scaled_distance": 0.3,
    "derivative": -0.1,
    "stability": 0.99,
    "r2": 0.9,
}
STEADY = np.zeros(1, dtype=bool)


def diagnostics(**values: float) -> Diagnostics:
    return Diagnostics(**{name: np.array([value]) for name, value in {**GOOD, **values}.items()})


@pytest.mark.parametrize(
    ("values", "reason", "level"),
    [
        ({}, "none", "reliable"),
        ({"crossing_ratio": np.inf}, "no_crossing", "unreliable"),
        ({"crossing_ratio": np.nan}, "not_explained", "unreliable"),
        ({"crossing_ratio": 1.3, "balance": 0.9}, "late_crossing", "wide"),
        ({"crossing_ratio": 1.3, "plane_ratio": 1.3}, "none", "reliable"),
        ({"balance": 0.2}, "one_sided", "wide"),
        ({"balance": 0.8}, "one_sided", "wide"),
        ({"balanced_accuracy": 0.6}, "unfaithful", "wide"),
        ({"faithfulness": 0.6}, "none", "reliable"),
        ({"cosine": 0.4, "crossing_ratio": 1.02}, "askew", "wide"),
        ({"cosine": 0.4}, "none", "reliable"),
        ({"stability": 0.5}, "unstable", "wide"),
        ({"stability": np.nan, "balanced_accuracy": np.nan, "derivative": np.nan}, "none", "reliable"),
    ],
)
def test_what_decides(values: dict[str, float], reason: str, level: str) -> None:
    verdict = judge(diagnostics(**values), STEADY)
    assert REASONS[verdict.reason[0]].name == reason
    assert LEVELS[verdict.level[0]] == level


def test_all_that_hold_are_kept_with_their_amounts() -> None:
    verdict = judge(diagnostics(crossing_ratio=1.3, balance=0.9), STEADY)
    names = [REASONS[code].name for code in np.flatnonzero(verdict.holds[0])]
    assert names == ["late_crossing", "one_sided"]
    assert verdict.amount[verdict.holds].tolist() == [1.3, 0.9]


def test_a_model_that_answers_otherwise_is_the_gravest() -> None:
    verdict = judge(diagnostics(crossing_ratio=np.inf), ~STEADY)
    assert REASONS[verdict.reason[0]].name == "unsteady"
    assert verdict.holds.sum() == 2
    assert np.isinf(verdict.amount[0, 3])


def test_a_path_that_comes_back_is_a_reason() -> None:
    nothing = np.zeros((1, 2))
    paths = Paths(nothing, nothing, nothing.astype(int), np.array([0.7]), np.array([True]))
    verdict = judge(diagnostics(), STEADY, paths)
    assert REASONS[verdict.reason[0]].name == "returns"
    assert verdict.amount[0, verdict.reason[0]] == 0.7


def test_explanations_of_a_plane_are_reliable() -> None:
    found = linear().inspect(paths=False)
    assert (judge(found.diagnostics, found.unsteady).level == 0).all()


def moons(**options) -> Inspection:
    rows, y = make_moons(200, noise=0.25, random_state=0)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    model = KNeighborsClassifier(1).fit(rows, y)
    labels = model.predict(rows)
    index = np.arange(0, 200, 2)
    return inspect_boundary(
        Decision(model.predict, None, None, 2),
        ArrayRows(rows),
        euclidean(2),
        Pool(rows, labels),
        Starts(rows[index], labels[index], index, None),
        Limits.none(len(index), 2),
        SearchOptions(n_rivals=50, refine="none", n_samples=400, **options),
        paths=False,
    )


@pytest.mark.slow
def test_on_the_moons_what_else_is_looked_at_finds_most_bad_explanations_and_few_once_tuned() -> None:
    found = moons(radius=1.0, vertices="axis")
    verdict = judge(found.diagnostics, found.unsteady)
    bad = verdict.level == LEVELS.index("unreliable")
    assert 0.05 < bad.mean() < 0.25
    # without the crossing itself
    blind = {f.name: getattr(found.diagnostics, f.name) for f in fields(Diagnostics)}
    other = judge(replace(found.diagnostics, crossing_ratio=np.ones(len(bad)), cosine=blind["cosine"]), found.unsteady)
    assert (other.level[bad] > 0).mean() > 0.8
    assert (other.level[~bad] > 0).mean() < 0.5
    tuned = moons()
    assert (judge(tuned.diagnostics, tuned.unsteady).level == LEVELS.index("unreliable")).mean() < bad.mean() / 2
