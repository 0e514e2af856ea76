"""What is on screen as Python: the code is run, and its numbers are those of the view."""

import ast

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from results import every
from results.samples import HOSTILE, QUOTED, UNICODE, binary_study
from tauscope.views.stress.joint_message import joint_answer

STRESS = {"taus": {"a": 0.3, "c = y": -0.2}, "hold": "none"}
HELD = {"taus": {"a": 0.3, "c = y": -0.2}, "hold": "means"}


def run(code, study):
    """Run code as a notebook runs a cell, and return what its last line gives."""
    tree = ast.parse(code)
    tree.body[-1] = ast.Assign([ast.Name("shown", ast.Store())], tree.body[-1].value)
    names = {"study": study, "ts": ts}
    exec(compile(ast.fix_missing_locations(tree), "cell", "exec"), names)
    return names["shown"]


def shown(study=None, stress=None, **options):
    study = every.study() if study is None else study
    return run(study.to_code(stress, **options), study)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["workspace", "joint"])
@pytest.mark.parametrize("hold", ["none", "means", "uncorrelated"])
def test_the_numbers_are_those_of_the_sliders(view, hold):
    stress = {"taus": {"a": 0.3, "d": 0.1}, "hold": hold}
    joint = every.study().joint_stress()
    answer = joint._answer(stress["taus"], hold)
    found = shown(stress=stress, view=view)
    np.testing.assert_array_equal(found.weights, answer.weights)
    for name in ("value", "lower"):
        assert found.metrics[name].tolist() == pytest.approx(
            [getattr(one, name) for one in answer.estimates], rel=1e-14
        )
    sliders = joint_answer(joint, stress, joint.widget().message["edges"])[0]["ess"]
    assert found.ess == pytest.approx(sliders, rel=1e-14)


@pytest.mark.parametrize("stress", [None, {}, {"taus": {}}, {"taus": {"a": 0.0}, "hold": "means"}])
@pytest.mark.slow
def test_unstressed_they_are_as_tested(stress):
    joint = every.study().joint_stress()
    assert shown(stress=stress) == dict(zip(joint.metric_names, joint.unstressed, strict=True))
    assert list(shown(stress=stress, metric="f1")) == ["f1"]


def test_the_code_is_as_a_person_writes_it():
    code = every.study().to_code(STRESS, metric="f1")
    assert code == (
        "import tauscope as ts\n\nstudy.reweight(ts.Mean('a', tau=0.3) & ts.Share('c', 'y', tau=-0.2), metrics='f1')"
    )
    held = every.study().to_code(ts.Scenario("hot", STRESS["taus"], "means"))
    assert held.endswith("study.reweight(ts.Scenario('hot', {'a': 0.3, 'c = y': -0.2}, hold='means'))")
    assert every.study().to_code(view="effect", feature=["a"]) == "study.effect('a')"


def test_strange_names_and_long_lines_run():
    study, taus = binary_study(), {HOSTILE: 0.1, f"{UNICODE} = True": -0.2, f"{QUOTED} = it's": 0.1, "age": 0.1}
    code = study.to_code({"taus": taus})
    assert len(code.splitlines()) == 8
    np.testing.assert_array_equal(run(code, study).weights, study.joint_stress().at(taus).weights)
    np.testing.assert_array_equal(
        shown(study, {"taus": taus, "hold": "means"}).weights, study.joint_stress().at(taus, "means").weights
    )


def test_curves():
    pd.testing.assert_frame_equal(shown(view="curves", stress=STRESS).frame, every.study().stress_curves().frame)
    found = shown(view="curves", feature=["a", "c"], metric="f1")
    assert (found.feature_names, found.metric_names) == (("a", "c = x", "c = y", "c = z"), ("f1",))


@pytest.mark.slow
def test_effects_as_tested_and_under_the_stress():
    effect = every.study().effect("a")
    pd.testing.assert_frame_equal(shown(view="effect", feature="a").frame, effect.frame)
    for stress in (STRESS, HELD):
        weights = every.study().joint_stress()._answer(**stress).weights
        pd.testing.assert_frame_equal(
            shown(view="effect", feature="a", stress=stress).frame,
            effect.under(every.study().joint_stress().at(**stress)).frame,
        )
        assert weights.mean() == pytest.approx(1)
    assert shown(view="effect", feature=["a", "b"]).feature_names == ("a", "b")


@pytest.mark.slow
def test_boundary_and_rules():
    study = every.study()
    assert shown(view="boundary", row=3, stress=STRESS).distance == study.boundary(3, random_state=0).distance
    pd.testing.assert_frame_equal(shown(view="rules", row=np.int64(3)).frame, study.rules(3).frame)
    moved = study.rules(3).under(study.joint_stress().at(**HELD))
    pd.testing.assert_frame_equal(shown(view="rules", row=3, stress=HELD).frame, moved.frame)


@pytest.mark.slow
def test_pooled():
    study = every.study()
    code = study.to_code(view="pooled", rows=np.array([3, 5]), random_state=0, max_rows=None, confidence=0.95)
    assert code == "study.pooled_boundary([3, 5], random_state=0)"
    some = shown(view="pooled", rows=[3, 5], random_state=0, n_samples=50, stress=HELD)
    whole = study.pooled_boundary([3, 5], random_state=0, n_samples=50, progress=False)
    pd.testing.assert_frame_equal(some.frame, whole.under(study.joint_stress().at(**HELD)).frame)
    wrong = shown(view="pooled", random_state=0, n_samples=50, max_rows=2)
    assert set(wrong.boundaries._numbers.row) < set(study.errors)
    assert study.to_code(view="pooled", rows="all", max_rows=9) == "study.pooled_boundary(max_rows=9)"


@pytest.mark.slow
def test_rows():
    study = every.study()
    frame = study.joint_stress().at(**HELD).frame
    assert shown(view="rows") is study.X
    pd.testing.assert_frame_equal(shown(view="rows", row=5), study.X.iloc[[5]])
    pd.testing.assert_frame_equal(shown(view="rows", stress=HELD), frame)
    pd.testing.assert_frame_equal(shown(view="rows", stress=HELD, row=5), frame.iloc[[5]])
    X = pl.DataFrame({"a": np.arange(6.0)})
    of_polars = ts.Study.from_predictions(X, [0, 1] * 3, [1, 0] * 3)
    assert shown(of_polars, view="rows", row=4)["a"].to_list() == [4.0]


def test_of_a_sparse_matrix():
    random = np.random.default_rng(0)
    X = sparse.csr_matrix(random.integers(0, 2, (60, 4)) * random.normal(size=(60, 4)))
    study = ts.Study(LogisticRegression().fit(X, np.arange(60) % 2), X, np.arange(60) % 2)
    assert "error_rate" in shown(study)
    assert shown(study, {"taus": {"x1": 0.2}})._terms[0].name == "mean of x1"
    assert shown(study, view="rows", row=2).shape == (1, 4)


def test_options_of_a_verb_are_written_where_they_are_chosen():
    write = every.study().to_code
    assert write(view="curves", taus=21, feature="a") == "study.stress_curves('a')"
    assert write(view="curves", taus=101) == "study.stress_curves(taus=101)"
    assert write(view="effect", feature="a", kind="ale", grid=50) == "study.effect('a', kind='ale')"
    fixed = write(view="boundary", row=2, fixed=["a"], bounds={"b": (None, np.float64(1.5))}, target=None)
    assert fixed == "study.boundary(2, random_state=0, fixed=['a'], bounds={'b': (None, 1.5)})"
    assert write(view="rules", row=2, pi=0.95, t=(0.0, 1.0)) == "study.rules(2, t=(0.0, 1.0))"
    assert write(view="effect", feature="a", epsilon=0.2).splitlines() == [
        "effect = study.effect('a')",
        "bounds = effect.bounds(0.2)",
        "effect",
    ]
    assert write(STRESS, view="effect", feature="a", epsilon=0.2).endswith(
        "effect.under(ts.Mean('a', tau=0.3) & ts.Share('c', 'y', tau=-0.2))"
    )
    assert write(epsilon=0.2) == write()


@pytest.mark.slow
def test_an_effect_of_groups():
    write = every.study().to_code
    assert write(view="effect", feature="a", by="c") == "study.effect('a').by(by='c')"
    assert write(STRESS, view="effect", feature="a", epsilon=0.2, by="c").splitlines()[2:] == [
        "effect = study.effect('a')",
        "bounds = effect.bounds(0.2)",
        "effect.by(by='c', stress=ts.Mean('a', tau=0.3) & ts.Share('c', 'y', tau=-0.2))",
    ]
    found = shown(view="effect", feature="a", by="c", stress=STRESS)
    solved = every.study().joint_stress().at(**STRESS)
    pd.testing.assert_frame_equal(found.frame, every.study().effect("a").by("c", solved).frame)


def test_an_effect_with_a_band_runs():
    effect = every.study().effect("a", kind="cd", n_neighbors=20)
    found = shown(view="effect", feature="a", kind="cd", n_neighbors=20, epsilon=0.1)
    pd.testing.assert_frame_equal(found.frame, effect.frame)


WRONG = {
    "an option of another": ({"view": "rules", "row": 1, "kind": "ale"}, ts.UnknownName, "no option 'kind'"),
    "an option of none": ({"grid": 3}, ts.InputError, "view='workspace' takes no further options; got grid"),
    "a function": (
        {"view": "effect", "feature": "a", "gradient": len},
        ts.InputError,
        "numbers, text, .* got gradient=",
    ),
    "a row that is a word": ({"view": "rules", "row": "x"}, ts.InputTypeError, "a position, or values by feature"),
    "another view": ({"view": "pie"}, ts.InputError, "view must be one of workspace, joint, .*; got 'pie'"),
    "no feature": ({"view": "effect"}, ts.InputError, "shows one feature; got none. Give feature='age'"),
    "no row": ({"view": "boundary"}, ts.InputError, "shows one row; got none. Give row=0"),
    "no row of rules": ({"view": "rules"}, ts.InputError, "shows one row"),
    "rows of no name": (
        {"view": "pooled", "rows": "wrong"},
        ts.InputError,
        "'all' or positions; got 'wrong'",
    ),
    "no rows": ({"view": "pooled", "rows": []}, ts.InputError, "one row at least; got none"),
    "rows too far": ({"view": "pooled", "rows": [1, 160]}, ts.InputError, "numbered 0 to 159; got 160"),
    "a row too far": ({"view": "rules", "row": 160}, ts.InputError, "numbered 0 to 159; got 160"),
    "a row before all": ({"row": -1}, ts.InputError, "numbered 0 to 159; got -1"),
    "a strange feature": ({"view": "curves", "feature": "e"}, ts.UnknownName, "no feature 'e'"),
    "a level's effect": ({"view": "effect", "feature": "c = y"}, ts.UnknownName, "no feature 'c = y'"),
    "no features": ({"view": "curves", "feature": []}, ts.InputError, "at least; got none"),
    "a number": ({"view": "curves", "feature": [3]}, ts.InputTypeError, "a name, or several; got 3"),
    "a strange metric": ({"metric": "f2"}, ts.UnknownName, "f2"),
    "no stress": ({"stress": 3}, ts.InputTypeError, "or a ts.Scenario; got 3"),
    "a strange key": ({"stress": {"tau": 1}}, ts.InputError, "'taus' and 'hold'; got 'tau'"),
    "strange taus": ({"stress": {"taus": [1]}}, ts.InputTypeError, "taus must be a mapping"),
    "a strange hold": ({"stress": {"taus": {"a": 1}, "hold": "all"}}, ts.InputError, "hold must be one of"),
    "a feature that is not there": ({"stress": {"taus": {"q": 1}}}, ts.UnknownName, "no feature 'q'"),
    "and what is held": ({"stress": {"taus": {"q": 1}, "hold": "means"}}, ts.UnknownName, "no feature 'q'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_states_are_refused(case):
    given, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        every.study().to_code(**given)
