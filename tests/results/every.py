"""One of every kind of result, by how it was made, of a model that does not pickle by itself."""

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from tauscope.results.base import Result


def gap(truth: Any, predicted: Any, sample_weight: Any = None) -> float:
    """A metric of one's own."""
    return float(np.average(np.asarray(truth) != np.asarray(predicted), weights=sample_weight))


def rows() -> tuple[pd.DataFrame, np.ndarray]:
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "a": random.normal(size=160),
            "b": random.normal(size=160),
            "c": random.choice(["x", "y", "z"], 160),
            "d": random.integers(0, 4, 160),
        }
    )
    return X, ((X["a"] + X["b"] * (X["a"] > 0) + 0.5 * random.normal(size=160)) > 0).to_numpy().astype(int)


def numbers() -> pd.DataFrame:
    return rows()[0][["a", "b", "d"]]


@cache
def estimator() -> LogisticRegression:
    return LogisticRegression().fit(numbers(), rows()[1])


@cache
def study() -> ts.Study:
    """Of a function that no pickle takes: a closure."""
    model = estimator()
    return ts.Study(lambda X: model.predict_proba(X[["a", "b", "d"]]), *rows(), progress=False)


@cache
def fitted() -> ts.Study:
    """Of an estimator."""
    return ts.Study(estimator(), numbers(), rows()[1], progress=False)


@cache
def images() -> ts.Study:
    pixels = np.random.default_rng(1).integers(0, 256, (120, 4)).astype(np.uint8)
    return ts.Study.from_predictions(pixels, pixels[:, 1] > 99, pixels[:, 0] > 99)


@cache
def shaded() -> ts.Study:
    pixels = np.random.default_rng(2).normal(size=(400, 4))
    return ts.Study.from_predictions(pixels, pixels[:, 1] > 0.1, pixels[:, 0] > 0)


@cache
def other() -> ts.Study:
    """Another model on the same rows."""
    X, y = rows()
    return ts.Study(lambda X: 1 / (1 + np.exp(-3 * X["a"].to_numpy())), X, y, progress=False)


def chunked() -> ts.ChunkedStudy:
    X, y = rows()
    model = estimator()
    return ts.ChunkedStudy(lambda X: model.predict_proba(X[["a", "b", "d"]]), [(X[:80], y[:80]), (X[80:], y[80:])])


STRESS = ts.Mean("a", tau=0.4) & ts.Moment(lambda X: X["b"] ** 2, 1.1, name="b squared")

MADE: dict[str, Callable[[], Result]] = {
    "curves": lambda: study().stress_curves(taus=5),
    "curves, others held": lambda: study().stress_curves("a", taus=3, hold="means", hold_features=["b"]),
    "curves, bootstrap": lambda: study().stress_curves(["a", "b"], taus=3, interval="bootstrap-t", random_state=3),
    "curves of other metrics": lambda: study().stress_curves("a", taus=3, metrics=["error_rate", "f1"]),
    "curves of chunks": lambda: chunked().stress_curves(["a", "c"], taus=3),
    "harm": lambda: study().stress_curves(taus=5).harm(distance=0.05),
    "joint": lambda: study().joint_stress(),
    "surface": lambda: study().stress_surface("a", "b", taus=3),
    "image": lambda: images().stress_image((2, 2)),
    "image of many values": lambda: shaded().stress_image((2, 2)),
    "refits": lambda: fitted().refit_curves(
        LogisticRegression(), numbers(), rows()[1], n_splits=2, taus=3, random_state=0, progress=False
    ),
    "reweighting": lambda: study().reweight(STRESS),
    "metrics by group": lambda: study().reweight(ts.Mean("a", tau=0.4)).by(["c", "d"]),
    "metrics by group of chunks": lambda: chunked().reweight(ts.Mean("a", tau=0.4)).by("c"),
    "curves by group": lambda: study().stress_curves(["a", "c"], taus=3).by("d"),
    "thresholds": lambda: study().threshold_curves(ts.Mean("a", tau=0.4), cost={"fp": 1, "fn": 5}, by="c"),
    "thresholds of chunks": lambda: chunked().threshold_curves(ts.Mean("a", tau=0.4), by="c"),
    "worst case": lambda: study().worst_case("error_rate", within={"a": 0.3, "c": 0.1}),
    "worst case over rows": lambda: study().worst_case("false_positive_rate", within={"tv": 0.1}),
    "worst case of chunks": lambda: chunked().worst_case("error_rate", within={"kl": 0.1}),
    "worst case reached": lambda: study().worst_case("error_rate", reach=0.3, features=["a", "b"], held_out=0),
    "calibration": lambda: study().calibration(ts.Mean("a", tau=0.4), n_bins=4),
    "calibration by group": lambda: study().calibration(n_bins=3, by="c"),
    "calibration of chunks": lambda: chunked().calibration(ts.Mean("a", tau=0.4), n_bins=3, by="c"),
    "scenarios": lambda: study().compare_scenarios(
        [ts.Scenario("more a", {"a": 0.4}), ts.Scenario("less d", {"d": -0.3, "c = x": 0.2}, hold="means")]
    ),
    "models in chunks": lambda: ts.compare(chunked(), chunked(), ts.Mean("a", tau=0.4), names=("old", "new")),
    "models": lambda: ts.compare(study(), other(), ts.Mean("a", tau=0.4), names=("old", "new")),
    "towards": lambda: study().towards(rows()[0][:60], rows()[1][:60], features=["a", "c"]),
    "towards of chunks": lambda: chunked().towards(rows()[0][:60], rows()[1][:60], features=["a", "c"]),
    "reweighting of chunks": lambda: chunked().reweight(ts.Mean("a", tau=0.4)),
    "effect": lambda: study().effect("a", grid=8),
    "effect of levels": lambda: study().effect("c", kind="ale"),
    "effect of chunks": lambda: chunked().effect("a", grid=5),
    "effects": lambda: study().effects(grid=5),
    "bounds": lambda: study().effect("a", grid=8).bounds(0.1),
    "breakdown": lambda: study().effect("a", grid=8).breakdown(),
    "shift": lambda: study().effect("a", grid=8).under(ts.Mean("b", tau=0.4)),
    "effect by group": lambda: study().effect("a", grid=8).by("c", ts.Mean("b", tau=0.4)),
    "effect by group of chunks": lambda: chunked().effect("a", grid=5).by("c", ts.Mean("b", tau=0.4)),
    "effect by group, each moved by itself": lambda: (
        study().effect("c", kind="cd").by("d", ts.Mean("b", tau=0.2), within=True)
    ),
    "attack": lambda: study().attack("a", columns=["b"], random_state=0, progress=False),
    "comparison": lambda: (
        study().effect("a", grid=8).compare(lambda X: np.column_stack([X["a"] > 0, X["a"] <= 0]) / 1.0)
    ),
    "regions": lambda: study().effect("a", grid=8).regions(),
    "boundary": lambda: study().boundary(3, random_state=0, n_samples=100, n=2, n_regions=2, progress=False),
    "boundary not found": lambda: fitted().boundary(3, random_state=0, fixed=["a", "b", "d"], progress=False),
    "boundaries": lambda: fitted().boundaries(range(4), random_state=0, n_samples=100, progress=False),
    "sufficient": lambda: study().sufficient(3),
    "rules": lambda: study().rules(3, n_drawn=50),
    "rules under a stress": lambda: study().rules(3, n_drawn=0, proof_budget=0).under(ts.Mean("a", tau=0.2)),
    "sufficient values under a stress": lambda: study().sufficient(3).under(ts.Mean("a", tau=0.2)),
    "sufficient values of several rows": lambda: study().sufficient([3, 5, 8]),
    "rules of several rows": lambda: study().rules([3, 5], n_drawn=0, proof_budget=0, max_rules=1),
    "swing rules": lambda: study().swing_rules(3),
    "distribution": lambda: study().distribution(3, ["a", "c"]),
    "distribution of several rows": lambda: study().distribution([3, 5, 8], ["a", "c"]),
    "rule list": lambda: study().rule_list(n_rows=40, share=0.5),
    "pooled boundary": lambda: fitted().pooled_boundary([1, 2, 5], random_state=0, n_samples=100, progress=False),
    "rows": lambda: study().table(),
    "randomized": lambda: fitted().randomize_model(repeats=2, grid=4, random_state=0, progress=False),
}


@cache
def result(name: str) -> Result:
    return MADE[name]()


ASK: dict[str, Callable[[Any], Hashable | object]] = {
    "curves": lambda found: found.at(9).frame,
    "curves, others held": lambda found: found.at(5).frame,
    "curves, bootstrap": lambda found: found.at(5).frame,
    "curves of other metrics": lambda found: found.at(5).frame,
    "curves of chunks": lambda found: found.at([-0.5, 0.5]).frame,
    "joint": lambda found: (
        found.at({"a": 0.3}, "means").frame, found._answer({"a": 0.3}).estimates, found.reach("b", {"a": 0.5})
    ),
    "image": lambda found: found.at(5).frame,
    "image of many values": lambda found: found.at(5).frame,
    "reweighting": lambda found: (found.sample(5, random_state=1).X, found.sample(5, random_state=1).y, found.balance),
    "effect": lambda found: (
        found.bounds(0.2).frame, found.breakdown().sentence, found.regions().sentence,
        found.under(ts.Mean("b", tau=0.3)).frame, found.by("c").gaps,
        found.by("c", ts.Mean("b", tau=0.2), within=True).frame,
    ),
    "effect by group": lambda found: (found.difference("x", "z"), found.gaps, found.effect.by("d").frame),
    "boundaries": lambda found: (found[2].frame, found[1].diagnostics.to_frame(), found.directions),
    "pooled boundary": lambda found: found.under(ts.Mean("a", tau=0.4)).frame,
    "bounds": lambda found: found.effect.bounds(0.2).frame,
}  # fmt: skip
"""What a result can still be asked without its model."""
