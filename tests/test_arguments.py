"""Every parameter of every public verb, given the same odd values: an answer, or one of our errors."""

import datetime
import inspect
import io
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints
from zlib import crc32

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from traitlets import TraitError

import tauscope as ts
from tauscope.arguments import COUNT, KINDS, KINDS_IN, describe, handed_on_by
from tauscope.results.boundary import spec
from tauscope.study.effects.attack import AttackOptions

RNG = np.random.default_rng(0)
N = 40
X = pd.DataFrame({"a": RNG.normal(size=N), "b": RNG.normal(size=N), "c": RNG.integers(0, 5, N).astype(float)})
Y = (X["a"] + X["b"] / 2 + 0.3 * RNG.normal(size=N) > 0).to_numpy() * 1
HALVES = [(X[:20], Y[:20]), (X[20:], Y[20:])]
TILT = ts.Mean("a", tau=0.2)
OLDER = ts.Scenario("older", {"a": 0.2})
LINEAR = LogisticRegression().fit(X, Y)
FOREST = RandomForestClassifier(4, max_depth=3, random_state=0).fit(X, Y)


class Anything:
    """Made of whatever it is given."""

    def __init__(self, *given: Any, **options: Any) -> None:
        pass


class NeverEqual:
    """Refuses to be compared."""

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparing")


class Several:
    """Compares as an array does."""

    def __eq__(self, other: object) -> Any:
        return np.array([True, False])

    def __hash__(self) -> int:
        return 1


# What is used up by reading is made anew for each call.
ODD: tuple[Callable[[], Any], ...] = (
    *(lambda value=value: value for value in (
        None, "x", "", "a\0b", "\ud800", "é" * 5000, 3, -1, 0, 1.0, 1.5, 0.5, float("nan"), float("inf"), -float("inf"),
        10**30, 10**400, 1e308, 5e-324, -0.0, float(np.nextafter(1, 0)), True, 1 + 2j, Decimal("0.5"), Decimal("NaN"),
        Fraction(1, 2), np.float64("nan"), np.int64(2), np.str_("a"), np.bool_(True), b"x", bytearray(b"x"),
        memoryview(b"ab"), [], [None], [[1], [2, 3]], ["a", 1, None], (3,), {}, {"a": 1}, {None: None}, {1, 2}, {"a"},
        frozenset({"a"}), range(3), slice(1), ..., NotImplemented, ValueError("x"), object(), Anything, NeverEqual(),
        Several(), os, io.StringIO(), lambda *given: 0, datetime.datetime(2020, 1, 1), datetime.timedelta(1),
        np.datetime64("NaT"), pd.Timestamp(0), pd.NA, pd.NaT, pd.Categorical(["a"]), pd.Index(["a"]), X["a"],
        pd.Series(["a", "b"]), pd.Series(["a"]), X, pl.Series([1.0]), pl.DataFrame({"a": [1.0]}), np.zeros((3, 2)),
        np.array("z"), np.array(1.5), np.array([]), np.array([np.nan, 1.0]), np.array([None, "a"], object),
        np.zeros(2, dtype=[("a", float)]), np.ma.array([1.0, 2.0], mask=[0, 1]), sparse.csr_array(np.eye(3)),
        sparse.csr_matrix(np.eye(1)), TILT,
    )),
    lambda: (letter for letter in "ab"),
    lambda: iter([1]),
)  # fmt: skip
# Of the processor. No verb on so few rows comes near it; work without an end does.
SECONDS = 20
# What is asked of results by results, and what a sequence is asked by Python.
INTERNAL = {
    "check_rows_kept", "described", "with_effect", "recompute", "check_usable", "row_weights", "index", "count", "of",
    "bars", "require_source",
}  # fmt: skip


@cache
def linear() -> ts.Study:
    return ts.Study(LINEAR, X, Y, progress=False)


@cache
def forest() -> ts.Study:
    return ts.Study(FOREST, X, Y, progress=False)


@cache
def chunked() -> ts.ChunkedStudy:
    return ts.ChunkedStudy(LINEAR, HALVES, progress=False)


@cache
def results() -> dict[str, Any]:
    """One result of each class that a verb hands back."""
    study, effect = linear(), linear().effect("a", grid=4, progress=False)
    return {
        type(result).__name__: result
        for result in (
            study.stress_curves(taus=3, progress=False),
            study.stress_image((1, 3), taus=3, progress=False),
            study.stress_surface("a", "b", taus=3, progress=False),
            study.joint_stress(["a", "b"]),
            study.reweight(TILT),
            study.reweight(TILT).by("c"),
            study.stress_curves(taus=3, progress=False).by("c"),
            study.threshold_curves(thresholds=[0.3, 0.5]),
            study.worst_case("error_rate", within={"a": 0.2}),
            study.calibration(n_bins=3),
            study.compare_scenarios([OLDER]),
            ts.compare(study, study, TILT),
            study.towards(X[:60]),
            study.refit_curves(LogisticRegression(), X, Y, n_splits=2, taus=3, progress=False),
            effect,
            effect.bounds(0.1),
            effect.breakdown(-0.5, 0.5),
            effect.by("c"),
            effect.regions("b"),
            effect.compare(FOREST, progress=False),
            study.effects(grid=4, progress=False),
            study.attack("a", grid=4, random_state=0, progress=False),
            study.boundary(0, progress=False),
            study.boundaries(rows=[0, 1], progress=False),
            study.pooled_boundary(rows=[0, 1, 2, 3], progress=False),
            forest().sufficient(0),
            forest().rules(0),
            forest().sufficient([0, 1]),
            forest().rules([0, 1]),
            forest().rule_list(),
            forest().swing_rules(0),
            forest().distribution([0, 1], ["a"]),
        )
    }


STUDY_ARGUMENTS: dict[str, dict[str, Any]] = {
    "attack": {"feature": "a", "grid": 4, "random_state": 0},
    "boundary": {"row": 0},
    "boundaries": {"rows": [0, 1]},
    "compare_scenarios": {"scenarios": [OLDER]},
    "effect": {"feature": "a", "grid": 4},
    "effects": {"grid": 4},
    "joint_stress": {},
    "metrics_by": {"by": "c"},
    "threshold_curves": {"thresholds": [0.3, 0.5]},
    "worst_case": {"metric": "error_rate", "within": {"a": 0.2}},
    "calibration": {"n_bins": 3},
    "load_scenarios": {"path": "scenarios.json"},
    "pooled_boundary": {"rows": [0, 1, 2], "max_rows": 2},
    "predict": {"X": X},
    "predict_row": {"row": 0, "values": {"a": 1.0}},
    "randomize_model": {"grid": 3, "repeats": 1, "method": "refit"},
    "refit_curves": {"estimator": LogisticRegression(), "X": X, "y": Y, "n_splits": 2, "taus": 3},
    "reweight": {"stress": TILT},
    "report": {"path": "report.html"},
    "save": {"path": "audit.html"},
    "save_scenarios": {"path": "scenarios.json", "scenarios": [OLDER]},
    "stress_curves": {"taus": 3},
    "workspace": {},
    "stress_image": {"shape": (1, 3), "taus": 3},
    "stress_surface": {"feature_a": "a", "feature_b": "b", "taus": 3},
    "table": {},
    "towards": {"X": X[:60]},
    "to_code": {"stress": {"taus": {"a": 0.2}, "hold": "none"}, "view": "effect", "feature": "a", "row": 0},
    "under": {"stress": TILT},
    "where": {"rows": X["a"] > 0},
    "with_model": {"model": LogisticRegression().fit(X, Y)},
}
FOREST_ARGUMENTS: dict[str, dict[str, Any]] = {
    "distribution": {"row": 0, "features": ["a"]},
    "rule_list": {},
    "rules": {"row": 0},
    "same_decision": {"subset": ["a"]},
    "sufficient": {"row": 0},
    "swing_rules": {"row": 0},
}
CHUNKED_ARGUMENTS: dict[str, dict[str, Any]] = {
    "boundaries": {"rivals": [0, 1]},
    "calibration": {"n_bins": 3},
    "distribution": {"row": 0, "features": "a", "sample": N},
    "effect": {"feature": "a", "grid": 4},
    "metrics_by": {"by": "c"},
    "reweight": {"stress": TILT},
    "rule_list": {"sample": N},
    "rules": {"row": 0, "sample": N},
    "same_decision": {"subset": ["a"], "sample": N},
    "sample": {"n": 20},
    "sketch": {},
    "stress_curves": {"taus": 3},
    "stress_image": {"shape": (1, 3), "taus": 3},
    "sufficient": {"row": 0, "sample": N},
    "swing_rules": {"row": 0, "sample": N},
    "threshold_curves": {"thresholds": [0.3, 0.5]},
    "towards": {"X": X[:60]},
    "worst_case": {"metric": "error_rate", "within": {"kl": 0.1}},
}
RESULT_ARGUMENTS: dict[str, dict[str, Any]] = {
    "scenario": {"name": "women", "amount": 0.5},
    "at": {"taus": {"a": 0.2}, "amount": 0.5, "threshold": 0.5},
    "along": {"feature": "a", "taus": 3},
    "answer": {"taus": {"a": 0.2}},
    "breakdown": {"low": -0.5, "high": 0.5},
    "by": {"by": "c"},
    "compare": {"other": LogisticRegression().fit(X, Y)},
    "difference": {"group": "0", "other": "1"},
    "feature_place": {"name": "a"},
    "holds": {"X": X},
    "influence": {"metric": "error_rate"},
    "map": {"metric": "error_rate"},
    "mask": {"which": 0},
    "metric_place": {"name": "error_rate"},
    "plot": {"ax": Figure().subplots()},
    "predict": {"X": X},
    "rank": {"metric": "error_rate"},
    "reach": {"feature": "a"},
    "regions": {"features": "b"},
    "sample": {"n": 10},
    "save": {"path": "page.csv"},
    "under": {"stress": TILT},
    "usable": {"metric": "error_rate"},
}
CONSTRAINTS: dict[str, dict[str, Any]] = {
    "Mean": {"feature": "a", "tau": 0.2},
    "Share": {"feature": "a", "level": 1, "target": 0.3},
    "Variance": {"feature": "a", "scale": 0.9},
    "Covariance": {"a": "a", "b": "b", "target": 0.1},
    "Moment": {"function": lambda rows: rows["a"], "target": 0.1},
    "Stress": {"constraints": (TILT,)},
    "Scenario": {"name": "larger", "taus": {"a": 0.2}},
}
RESULT_CLASSES = (
    "Boundaries", "Boundary", "Calibration", "CurvesByGroup", "EffectAttack", "EffectBounds", "EffectBreakdown",
    "EffectByGroup", "EffectComparison", "EffectRegions", "FeatureEffect", "FeatureEffects", "JointStress",
    "MetricsByGroup", "ModelComparison", "PooledBoundary", "ProjectedDistribution", "RefitCurves", "Reweighting",
    "RuleList", "Rules", "RulesOfRows", "ScenarioComparison", "StressCurves", "StressImage", "StressSurface",
    "SufficientExplanation", "SufficientExplanations", "SwingRules", "TargetPopulation", "ThresholdCurves",
    "WorstCase",
)  # fmt: skip


def questions(kind: type) -> list[str]:
    """Return the public methods of a class that take arguments of ours."""
    found = inspect.getmembers(kind, lambda member: inspect.isfunction(member) and "tauscope" in member.__module__)
    return [name for name, method in found if not name.startswith("_") and parameters(method) and name not in INTERNAL]


def parameters(function: Any) -> list[str]:
    """Return what a verb takes, the options that it hands on among them."""
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    named = [name for name, given in inspect.signature(function).parameters.items() if given.kind not in kinds]
    options = handed_on_by(inspect.unwrap(function)) if inspect.isroutine(function) else None
    handed_on = [] if options is None else sorted(options.__optional_keys__)
    return [name for name in (*named, *handed_on) if name not in ("self", "study")]


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail where something does not end."""

    def stop(*_: object) -> None:
        raise AssertionError(f"took more than {seconds} seconds")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def of_the_model(error: Exception) -> bool:
    """Whether it is the model's own complaint, which names the rows it was asked about in a note."""
    return any("rows" in note for note in getattr(error, "__notes__", ()))


def sweep(function: Any, arguments: Mapping[str, Any], every: int = 1) -> None:
    """Give each parameter each odd value, or one of so many, other ones to each; the others as they are.

    What the system says of a file is passed on as it is: that it is not there, a folder, or has too long a name.
    """
    foreign = []
    for name in parameters(function):
        for make in ODD[crc32(name.encode()) % every :: every]:
            value = make()
            try:
                with within(SECONDS):
                    function(**{**arguments, name: value})
            except (ts.TauscopeError, TraitError):
                continue
            except Exception as error:
                if not of_the_model(error) and not (name in ("path", "beside") and isinstance(error, OSError)):
                    foreign.append(f"{name}={describe(value)}: {type(error).__name__}: {error}")
    assert not foreign, "\n".join(foreign)


@pytest.mark.parametrize("name", KINDS)
def test_the_table_looks_at_anything(name: str) -> None:
    for make in ODD:
        with suppress(ts.TauscopeError):
            KINDS[name].check(name, make())


OPTIONS = {"boundaries": linear, "pooled_boundary": linear, "rules": forest, "rule_list": forest,
           "distribution": forest, "same_decision": forest, "swing_rules": forest}  # fmt: skip


def required_options(verb: str) -> Iterator[str]:
    """Yield the options that a verb hands on by ** and that None is no value of."""
    for name, hint in get_type_hints(handed_on_by(inspect.unwrap(getattr(ts.Study, verb)))).items():
        if hint is not Any and type(None) not in get_args(hint):
            yield name


@pytest.mark.parametrize(("verb", "option"), [(verb, name) for verb in OPTIONS for name in required_options(verb)])
def test_an_option_handed_on_is_looked_at(verb: str, option: str) -> None:
    arguments = {**STUDY_ARGUMENTS, **FOREST_ARGUMENTS}[verb]
    with pytest.raises(ts.TauscopeError, match=option):
        getattr(OPTIONS[verb](), verb)(**arguments, **{option: None})


def other_studies() -> dict[str, ts.Study]:
    """Rows of all kinds with missing values, several classes, a regression, sparse rows, and predictions alone."""
    rng = np.random.default_rng(3)
    mixed = pd.DataFrame(
        {
            "a": np.where(np.arange(N) == 3, np.nan, rng.normal(size=N)),
            "b": rng.integers(0, 9, N),
            "c": np.where(np.arange(N) == 5, None, rng.choice(list("uvw"), N)),
            "d": rng.random(N) < 0.4,
            "e": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, N), "D"),
            "f": pd.Categorical(rng.choice(["low", "high"], N)),
        }
    )
    three = np.digitize(X["a"], [-0.4, 0.4])
    wide = sparse.csr_array(np.where(rng.random((N, 3)) < 0.5, rng.normal(size=(N, 3)), 0))
    several = RandomForestClassifier(4, max_depth=3, random_state=0).fit(X, three)
    values = RandomForestRegressor(4, max_depth=3, random_state=0).fit(X, X["a"])
    of_wide = LogisticRegression().fit(wide, Y)
    return {
        "mixed": ts.Study(
            lambda rows: 1 / (1 + np.exp(-rows["a"].fillna(0).to_numpy() - rows["d"].to_numpy())),
            mixed,
            Y,
            sample_weight=rng.random(N) + 0.1,
            progress=False,
        ),
        "multiclass": ts.Study(several, X, three, progress=False),
        "regression": ts.Study(values, X, X["a"], progress=False),
        "sparse": ts.Study(of_wide, wide, Y, feature_names=list("abc"), progress=False),
        "predictions": ts.Study.from_predictions(X, Y, Y),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mixed", "multiclass", "regression", "sparse", "predictions"])
def test_a_verb_of_another_study(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    study = other_studies()[kind]
    study.save_scenarios("scenarios.json", [OLDER])
    for verb, arguments in {**STUDY_ARGUMENTS, **FOREST_ARGUMENTS}.items():
        if verb not in ("report", "refit_curves", "randomize_model"):
            own = {"X": study.X[: N // 2]} if "X" in arguments else {}
            sweep(getattr(study, verb), {**arguments, **own}, 6)


@pytest.mark.slow
@pytest.mark.parametrize("verb", STUDY_ARGUMENTS)
def test_a_verb_of_a_study(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    linear().save_scenarios("scenarios.json", [OLDER])
    sweep(getattr(linear(), verb), STUDY_ARGUMENTS[verb], 8 if verb == "report" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("verb", FOREST_ARGUMENTS)
def test_a_verb_of_rules(verb: str) -> None:
    sweep(getattr(forest(), verb), FOREST_ARGUMENTS[verb])


@pytest.mark.slow
@pytest.mark.parametrize("verb", CHUNKED_ARGUMENTS)
def test_a_verb_of_chunks(verb: str) -> None:
    sweep(getattr(chunked(), verb), CHUNKED_ARGUMENTS[verb])


@pytest.mark.slow
def test_groups_of_an_effect_of_chunks() -> None:
    sweep(chunked().effect("a", grid=4).by, {"by": "c", "stress": TILT})


@pytest.mark.slow
@pytest.mark.parametrize("kind", RESULT_CLASSES)
def test_the_questions_of_a_result(kind: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = results()[kind]
    for question in questions(type(result)):
        asked = getattr(result, question)
        given = RESULT_ARGUMENTS.get(question, {})
        sweep(asked, {name: value for name, value in given.items() if name in parameters(asked)})
    pyplot.close("all")


@pytest.mark.slow
@pytest.mark.parametrize("kind", RESULT_CLASSES)
def test_first_values_of_a_widget(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = results()[kind]
    if not hasattr(result, "widget"):
        return
    opened = result.widget()
    traits = [name for name, trait in opened.traits(sync=True).items() if "tauscope" in trait.this_class.__module__]
    opened.close()

    def widget(**given: Any) -> None:
        result.widget(**given).close()

    def save(**given: Any) -> None:
        result.save("page.html", **given)

    names = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in traits]
    for ask, every in ((widget, 3), (save, 40)):
        ask.__signature__ = inspect.Signature(names)  # pyright: ignore[reportFunctionMemberAccess]
        sweep(ask, {}, every)


@pytest.mark.slow
def test_what_a_study_is_made_of() -> None:
    sweep(ts.Study, {"model": LINEAR, "X": X, "y": Y})
    sweep(ts.Study.from_predictions, {"X": X, "y_true": Y, "y_pred": Y})
    sweep(ts.Study.from_ranges, {"model": LINEAR, "ranges": dict.fromkeys("abc", (0.0, 1.0)), "n": 50})
    sweep(ts.ChunkedStudy, {"model": LINEAR, "chunks": HALVES})
    sweep(ts.load, {"path": "absent.json"})


@pytest.mark.slow
def test_two_studies() -> None:
    sweep(ts.compare, {"first": linear(), "second": linear()})
    sweep(ts.compare, {"first": chunked(), "second": chunked()})


@pytest.mark.parametrize("name", CONSTRAINTS)
@pytest.mark.slow
def test_constraints(name: str) -> None:
    kind = getattr(ts, name)

    def reweight(**given: Any) -> Any:
        return linear().reweight(kind(**given))

    reweight.__signature__ = inspect.signature(kind)  # pyright: ignore[reportFunctionMemberAccess]
    sweep(reweight, CONSTRAINTS[name])


@pytest.mark.slow
def test_no_verb_is_left_out() -> None:
    assert set(questions(ts.Study)) <= {*STUDY_ARGUMENTS, *FOREST_ARGUMENTS}
    answered = {
        name
        for name in questions(ts.ChunkedStudy)
        if "options" not in parameters(getattr(ts.Study, name, lambda: None))
    }
    assert answered <= set(CHUNKED_ARGUMENTS)
    assert {type(result).__name__ for result in results().values()} == set(RESULT_CLASSES)


@pytest.mark.parametrize(("method", "name"), KINDS_IN)
def test_exceptions_of_the_table_name_a_parameter(method: str, name: str) -> None:
    holder, _, verb = method.rpartition(".")
    if method.endswith("Options"):
        assert name in getattr(spec, method, AttackOptions).__optional_keys__
        return
    owner: Any = ts if method == "compare" else getattr(ts, holder, ts.FeatureEffect)
    if holder in ("", "StudyBase") and method != "compare":
        owner = ts.Study
    assert name in inspect.signature(getattr(owner, verb)).parameters


def test_the_table_names_parameters_that_there_are() -> None:
    owners = [vars(kind) for kind in {base for name in dir(ts) for base in getattr(getattr(ts, name), "__mro__", ())}]
    members = [getattr(member, "__func__", member) for owner in owners for member in owner.values()]
    named = {name for member in members if inspect.isfunction(member) for name in inspect.signature(member).parameters}
    assert set(KINDS) <= named


def test_a_callback_is_looked_at_whether_or_not_the_answer_is_known() -> None:
    study = ts.Study(LINEAR, X, Y, progress=False)
    for _ in range(2):
        with pytest.raises(ts.InputTypeError, match=r"callback must be a function .*; got 3"):
            study.effect("a", callback=3)  # pyright: ignore[reportArgumentType]
        study.effect("a", progress=False)


def test_work_without_an_end_is_refused() -> None:
    with pytest.raises(ts.InputError, match="n_splits must be at most 100,000; got 10"):
        linear().refit_curves(LogisticRegression(), X, Y, n_splits=10**30)
    with pytest.raises(ts.InputError, match="repeats must be at most 100,000"):
        linear().attack("a", repeats=10**30)


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_of_any_library_are_counts(value: object) -> None:
    COUNT.check("n", value)


def test_tables_are_named_by_their_shape_and_long_values_are_cut() -> None:
    assert describe(X) == "a DataFrame of shape (40, 3)"
    assert describe(np.zeros((3, 2))) == "an ndarray of shape (3, 2)"
    assert describe("x" * 100) == f"'{'x' * 55} …"
    assert describe(np.float64(2.0)) == repr(np.float64(2.0))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gaussian", "genetic"])
def test_an_attack_by_another_method(method: str) -> None:
    few = {"iterations": 3} if method == "genetic" else {}
    sweep(linear().attack, {"feature": "a", "method": method, "grid": 4, "progress": False, **few}, 6)
