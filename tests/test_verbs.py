"""Every verb once, on few rows: what a library would break, in the lowest version declared or the newest."""

import inspect
from functools import cache
from tempfile import TemporaryDirectory

import altair as alt
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts

pytestmark = pytest.mark.slow

FOREST = {"n_estimators": 5}
OLDER = ts.Mean("age", tau=0.3)
VERBS = {
    "attack": lambda study: study.attack("age", grid=4),
    "boundaries": lambda study: study.boundaries([0, 1, 2]),
    "boundary": lambda study: study.boundary(0),
    "distribution": lambda study: study.distribution([0, 1, 2], ["age", "job"], **FOREST),
    "effect": lambda study: study.effect("age", grid=5),
    "effect_by_group": lambda study: study.effect("age", grid=5).by("job", OLDER, within=in_memory(study)),
    "effects": lambda study: study.effects(grid=5),
    "joint_stress": lambda study: study.joint_stress(),
    "pooled_boundary": lambda study: study.pooled_boundary([0, 1, 2, 3]),
    "metrics_by": lambda study: study.metrics_by(["job"], metrics="error_rate"),
    "curves_by_group": lambda study: study.stress_curves(taus=3).by("job", within=True),
    "equal_shifts": lambda study: study.stress_curves(taus=3).harm(distance=0.05),
    "threshold_curves": lambda study: study.threshold_curves(OLDER, by="job", cost={"fp": 1, "fn": 5}),
    "calibration": lambda study: study.calibration(OLDER, by="job", n_bins=4),
    "metrics_by_group": lambda study: study.reweight(OLDER).by("job"),
    "compare_outcomes": lambda study: ts.compare(study, study, OLDER),
    "predict_row": lambda study: study.predict_row(0, {"age": 50}),
    "randomize_model": lambda study: study.randomize_model("age", grid=5, repeats=2),
    "refit_curves": lambda study: study.refit_curves(study._require_model("is").model, study.X, study.y, n_splits=2),
    "reweight": lambda study: study.reweight(OLDER & ts.Share("job", "clerk", tau=0.2)),
    "rule_list": lambda study: study.rule_list(n_rows=30, **FOREST),
    "rules": lambda study: study.rules(0, **FOREST),
    "rules_under": lambda study: study.rules(0, **FOREST).under(OLDER),
    "rules_of_rows": lambda study: study.rules([0, 1], **FOREST),
    "sufficient_of_rows": lambda study: study.sufficient([0, 1], **FOREST),
    "same_decision": lambda study: study.same_decision(["age"], **FOREST),
    "towards": lambda study: study.towards(study.X[:60], study.y[:60]),
    "reweight_towards": lambda study: study.towards(study.X[:60]).at(0.5),
    "compare_scenarios": lambda study: study.compare_scenarios([ts.Scenario("older", {"age": 0.3})]),
    "save_scenarios": lambda study: kept(study),
    "load_scenarios": lambda study: kept(study),
    "stress_curves": lambda study: study.stress_curves(taus=3),
    "stress_image": lambda study: of_numbers().stress_image((1, 2), taus=3),
    "stress_surface": lambda study: study.stress_surface("age", "income", taus=3),
    "sufficient": lambda study: study.sufficient(0, **FOREST),
    "sufficient_under": lambda study: study.sufficient(0, **FOREST).under(OLDER),
    "swing_rules": lambda study: study.swing_rules(0, **FOREST),
    "worst_case": lambda study: study.worst_case("error_rate", within={"kl": 0.02}, features=["age", "job"]),
    "under": lambda study: study.under(OLDER).effect("age", grid=5),
}
IN_CHUNKS = (
    "calibration", "effect", "effect_by_group", "metrics_by", "metrics_by_group", "reweight", "rule_list", "rules",
    "same_decision", "stress_curves", "sufficient", "swing_rules", "threshold_curves",
)  # fmt: skip


def in_memory(study):
    return isinstance(study, ts.Study)


def kept(study):
    with TemporaryDirectory() as folder:
        study.save_scenarios(f"{folder}/a.json", [ts.Scenario("older", {"age": 0.3, "job = nurse": 0.2})])
        return study.load_scenarios(f"{folder}/a.json")


@cache
def rows():
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": random.integers(18, 80, 160),
            "income": random.normal(size=160).round(3),
            "job": random.choice(["clerk", "driver", "nurse"], 160),
        }
    )
    return X, np.where(X["age"] / 30 + X["income"] + (X["job"] == "nurse") + random.normal(size=160) > 2, "yes", "no")


@cache
def model():
    columns = make_column_transformer((StandardScaler(), ["age", "income"]), (OneHotEncoder(), ["job"]))
    return make_pipeline(columns, LogisticRegression()).fit(*rows())


@cache
def of_rows():
    return ts.Study(model(), *rows())


@cache
def of_numbers():
    X, y = rows()
    return ts.Study(LogisticRegression().fit(X[["age", "income"]], y), X[["age", "income"]], y)


def says_something(result):
    """Tell whether a result has words and numbers."""
    numbers = result.ess if isinstance(result, ts.Reweighting) else getattr(result, "frame", result)
    return len(str(result)) > 20 and np.size(numbers) > 0


def test_every_verb_is_here():
    rooms = tuple(f"tauscope.study.{room}." for room in ("boundary", "effects", "rules", "stress"))
    verbs = {
        name for name, one in vars(ts.Study).items() if inspect.isfunction(one) and one.__module__.startswith(rooms)
    }
    asked_by_results = {name[1:] for name in verbs if name.startswith("_")}
    assert (
        {name for name in verbs if not name.startswith("_")}
        <= {name.removesuffix("_of_rows") for name in VERBS}
        <= verbs | asked_by_results
    )


@pytest.mark.parametrize("verb", VERBS)
def test_it_answers(verb):
    assert says_something(VERBS[verb](of_rows()))


@pytest.mark.parametrize("verb", IN_CHUNKS)
def test_it_answers_in_chunks(verb):
    X, y = rows()
    frame = X.assign(y=y)
    study = ts.ChunkedStudy(model(), [frame[:90], frame[90:]], target="y", progress=False)
    assert says_something(VERBS[verb](study))


def to_polars(X):
    import polars as pl

    return pl.DataFrame(X.to_dict("list"))


def to_arrow(X):
    import pyarrow as pa

    return pa.table(X.to_dict("list"))


def of_pandas(frame):
    return pd.DataFrame({name: frame[name].to_numpy() for name in ("age", "income", "job")})


@pytest.mark.parametrize("kind", ["pd", "cd", "ale", "dale"])
@pytest.mark.parametrize("container", [to_polars, to_arrow])
def test_effects_of_frames_of_other_libraries(container, kind):
    X, y = rows()
    study = ts.Study(lambda frame: model().predict_proba(of_pandas(frame)), container(X), y)
    want = of_rows().effect("income", kind=kind, grid=5).frame["effect"]
    assert np.allclose(study.effect("income", kind=kind, grid=5).frame["effect"], want)


def test_results_are_saved(tmp_path):
    curves = of_rows().stress_curves(taus=3)
    for ending in ("html", "csv", "json"):
        curves.save(tmp_path / f"curves.{ending}")
        assert (tmp_path / f"curves.{ending}").stat().st_size > 100
    assert isinstance(curves.chart(), alt.TopLevelMixin)
