"""Every result of effects is data: it survives pickling, answers the same after, and says what needs the model."""

import copy
import pickle
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.neural_network import MLPClassifier

import tauscope as ts
from results.effects import samples
from tauscope.errors import InputError
from tauscope.results.base import Result

STRESS = ts.Mean("age", tau=0.5)


@cache
def results():
    study = samples.study()
    effect = study.effect("fare", grid=8)
    X, y = samples.passengers(80)
    final = MLPClassifier((2,), solver="lbfgs", alpha=1.0, max_iter=5000, random_state=0)
    network = ts.Study(samples.pipeline(final).fit(X, y), X, y)
    other = samples.boosted()[0]
    return {
        "effect": effect,
        "windows": study.effect("age", kind="cd", n_neighbors=40, grid=6),
        "bins": study.effect("fare", kind="ale", grid=6),
        "levels": study.effect("port", kind="ale"),
        "surface": study.effect(("fare", "sex"), grid=4),
        "effects": study.effects(["fare", "sex"], grid=5),
        "bounds": effect.bounds(0.1),
        "breakdown": effect.breakdown(),
        "shift": effect.under(STRESS),
        "regions": effect.regions(),
        "comparison": effect.compare(other, progress=False),
        "attack": study.attack("fare", grid=6, n_candidates=4, random_state=0, progress=False),
        "randomized": network.randomize_model("fare", sigma=0.5, repeats=1, random_state=0, progress=False),
    }


NAMES = [
    "effect",
    "windows",
    "bins",
    "levels",
    "surface",
    "effects",
    "bounds",
    "breakdown",
    "shift",
    "regions",
    "comparison",
    "attack",
    "randomized",
]


def callables(value, seen, path):
    """Every function that a field holds, however deep; the source is the study's own affair."""
    if id(value) in seen or isinstance(value, np.ndarray | pd.DataFrame | pd.Series | str | bytes | type(None)):
        return
    seen.add(id(value))
    if callable(value) and not isinstance(value, type):
        yield path
    if is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            if not (isinstance(value, Result) and one.name == "source"):
                yield from callables(getattr(value, one.name), seen, f"{path}.{one.name}")
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from callables(one, seen, f"{path}[{key!r}]")
    elif isinstance(value, tuple | list | frozenset | set):
        for place, one in enumerate(value):
            yield from callables(one, seen, f"{path}[{place}]")


@pytest.mark.slow
def test_every_result_is_here():
    assert list(results()) == NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
def test_no_field_holds_a_function(name):
    result = results()[name]
    assert isinstance(result, Result)
    assert list(callables(result, set(), name)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_it_reads_the_same_after_pickling(name):
    before = results()[name]
    after = pickle.loads(pickle.dumps(before))
    assert repr(after) == repr(before)
    pd.testing.assert_frame_equal(after.frame, before.frame)
    assert (after.title, after.notes, after._caption, after.computed_on) == (
        before.title,
        before.notes,
        before._caption,
        before.computed_on,
    )
    assert str(after._document()) == str(before._document())
    if hasattr(before, "chart"):
        assert after.chart().to_dict() == before.chart().to_dict()


@pytest.mark.parametrize("name", ["effect", "windows", "bins", "levels"])
@pytest.mark.slow
def test_what_needs_no_model_is_answered_the_same(name):
    before = results()[name]
    after = pickle.loads(pickle.dumps(before))
    for question in (lambda one: one.bounds(0.2), lambda one: one.breakdown(), lambda one: one.under(STRESS)):
        pd.testing.assert_frame_equal(question(after).frame, question(before).frame)
    if name == "effect":
        pd.testing.assert_frame_equal(after.regions(["sex"]).frame, before.regions(["sex"]).frame)
        pd.testing.assert_frame_equal(after.ice, before.ice)
        pd.testing.assert_frame_equal(after.heterogeneity, before.heterogeneity)


def test_perturbed_rows_come_from_the_rows_kept():
    before = results()["attack"]
    after = pickle.loads(pickle.dumps(before))
    pd.testing.assert_frame_equal(after.perturbed_rows(), before.perturbed_rows())


@pytest.mark.slow
def test_what_needs_the_model_says_so():
    before = results()["effect"]
    after = pickle.loads(pickle.dumps(before))
    recompute = samples.boosted()[0]
    questions = [
        lambda one: one._recompute(["age"], "pd", lambda done, total: None).frame,
        lambda one: one.compare(recompute, progress=False).frame,
        lambda one: one.compare(results()["comparison"].other, distance="box", n_samples=50, random_state=0).frame,
    ]
    for question in questions:
        with pytest.raises(InputError, match=r"was left behind.*with_source"):
            question(after)
        given_back = after.with_source(samples.study())
        pd.testing.assert_frame_equal(question(given_back), question(before))


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_asks_the_same_study(name):
    before = results()[name]
    after = copy.deepcopy(before)
    assert after.source is before.source
    pd.testing.assert_frame_equal(after.frame, before.frame)


def test_the_results_of_one_study_share_it_when_pickled():
    after = pickle.loads(pickle.dumps(results()["effects"]))
    assert len({id(effect.source) for effect in after} | {id(after.source)}) == 1


def test_how_the_numbers_were_computed():
    study = samples.study()
    found = study.effect("fare", grid=5)
    assert found._computed_from == "model"
    assert f"called on {found.n_model_rows:,} rows" in found.method
    again = study.effect("fare", grid=5)
    assert (again._computed_from, again.n_model_rows) == ("cache", 0)
    assert again.method.startswith("cached answers")
    assert found.under(STRESS).after._computed_from == "cache"
    assert (found.quantity, found.response, found.response_kind) == ("probability", "probability of yes", "share")
    grades = ts.Study(*samples.grades()).effect("a", grid=4)
    assert grades.response == "probability of each class"
    assert grades.responses == ("probability of x", "probability of y", "probability of z")
    line = ts.Study(*samples.line()).effect("a", grid=4)
    assert (line.quantity, line.response, line.responses) == ("value", "prediction", ("prediction",))
    assert line.response_kind == "value"
