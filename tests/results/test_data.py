"""Results are data: they survive every way out of the process, and answer the same after."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import cloudpickle
import joblib
import numpy as np
import pandas as pd
import pytest
from dask.distributed import Client, LocalCluster

import tauscope.results
from results import every
from tauscope.errors import InputError
from tauscope.results.base import Result


def through_pickle(result, tmp_path):
    return pickle.loads(pickle.dumps(result))


def through_cloudpickle(result, tmp_path):
    return cloudpickle.loads(cloudpickle.dumps(result))


def through_joblib(result, tmp_path):
    joblib.dump(result, tmp_path / "result.joblib")
    return joblib.load(tmp_path / "result.joblib")


def through_copy(result, tmp_path):
    return copy.deepcopy(result)


WAYS = (through_pickle, through_cloudpickle, through_joblib, through_copy)


def alike(one: Any, other: Any) -> None:
    """Assert that two answers are the same to the last digit."""
    assert type(one) is type(other)
    if isinstance(one, pd.DataFrame):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    elif isinstance(one, np.ndarray):
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            alike(a, b)
    elif dataclasses.is_dataclass(one):
        alike([*vars(one).values()], [*vars(other).values()])
    else:
        assert one == other or (one != one and other != other)


def told(name: str, result: Any) -> tuple[Any, ...]:
    """Everything a result says without its model: numbers, words, widget, more answers."""
    has_rows = getattr(result, "weights", ()) is not None
    message = result.widget().message if hasattr(result, "widget") else None
    # the words that change: whether the model can be asked
    of_model = dict.fromkeys(("live", "offline", "rows_shipped"))
    message = {**message, **of_model} if isinstance(message, Mapping) else message
    frame, document = (result.frame, repr(result._document())) if has_rows else (None, None)
    return (
        result.title, result.notes, result._caption, result.computed_on, repr(result), frame, document, message,
        every.ASK.get(name, lambda _: None)(result),
    )  # fmt: skip


@cache
def told_of(name: str) -> tuple[Any, ...]:
    return told(name, every.result(name))


def drawn(result: Any) -> str:
    """The chart, of those that have one; making it takes longer than all else."""
    has_rows = getattr(result, "weights", ()) is not None
    return result.chart().to_json(validate=False) if hasattr(result, "chart") and has_rows else ""


def callables(value: Any, path: str) -> Iterator[str]:
    """Every callable that is held in a field, however deep; sources aside."""
    if isinstance(value, np.ndarray | pd.DataFrame | pd.Series | pd.Index | type | str | bytes | int | float):
        return
    if callable(value):
        yield path
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from callables(one, f"{path}[{key!r}]")
    elif isinstance(value, tuple | list | set | frozenset):
        for k, one in enumerate(value):
            yield from callables(one, f"{path}[{k}]")
    elif dataclasses.is_dataclass(value):
        for one in dataclasses.fields(value):
            if not (isinstance(value, Result) and one.name == "source"):
                yield from callables(getattr(value, one.name), f"{path}.{one.name}")
    else:
        for key, one in getattr(value, "__dict__", {}).items():
            yield from callables(one, f"{path}.{key}")


def kinds() -> set[type[Result]]:
    """Every class of results that is handed to a person."""
    modules = [import_module(one.name) for one in walk_packages(tauscope.results.__path__, "tauscope.results.")]
    return {
        one
        for module in modules
        for name, one in inspect.getmembers(module, inspect.isclass)
        if issubclass(one, Result)
        and one is not Result
        and one.__module__ == module.__name__
        and name in tauscope.__all__
    }


@pytest.mark.slow
def test_there_is_one_of_every_kind():
    assert kinds() == {type(every.result(name)) for name in every.MADE}


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
def test_no_field_holds_a_callable(name):
    assert list(callables(every.result(name), name)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
@pytest.mark.parametrize("way", WAYS)
def test_answers_are_the_same(name, way, tmp_path):
    alike(told(name, way(every.result(name), tmp_path)), told_of(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
def test_charts_are_the_same(name, tmp_path):
    result = every.result(name)
    assert drawn(through_pickle(result, tmp_path)) == drawn(result)


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
def test_a_copy_asks_the_same_source(name):
    result = every.result(name)
    assert copy.copy(result).source is copy.deepcopy(result).source is result.source


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def ask_there(name: str, result: Any, ask: Any) -> Any:
    return None if ask is None else ask(result), repr(result)


@pytest.mark.slow
@pytest.mark.parametrize("name", every.MADE)
def test_a_worker_answers_alike_and_hands_it_back(name, client):
    result, ask = every.result(name), every.ASK.get(name)
    alike(client.submit(partial(ask_there, name), result, ask, pure=False).result(), ask_there(name, result, ask))
    alike(told(name, client.submit(lambda one: one, result, pure=False).result()), told_of(name))


def test_what_needs_the_model_says_so_and_gets_it_back():
    effect = every.result("effect")
    read = pickle.loads(pickle.dumps(effect))
    assert read.source._model_name == effect.model_name
    assert not read.source._has_model
    for ask in (
        lambda one: one._recompute(["b"], "pd", lambda done, total: False),
        lambda one: one.compare(lambda X: np.column_stack([X["a"] > 0, X["a"] <= 0]) / 1.0),
        lambda one: one.source.predict(every.rows()[0]),
    ):
        with pytest.raises(InputError, match=r"left behind when .* pickled.*with_source\(study\)"):
            ask(read)
        ask(read.with_source(every.study()))


def test_a_source_of_other_rows_is_refused():
    with pytest.raises(InputError, match="160 of 4 columns; got 160 of 3"):
        every.result("curves").with_source(every.fitted())


def test_a_source_is_given_to_the_results_within():
    read = pickle.loads(pickle.dumps(every.result("bounds"))).with_source(every.study())
    assert read.source is read.effect.source is every.study()


def test_what_refers_to_nothing_says_so():
    alone = dataclasses.replace(every.result("curves"), source=None)
    with pytest.raises(InputError, match=r"StressCurves refers to no study.*with_source"):
        alone.at(3)
    pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(alone)).frame, alone.frame)


def test_a_pickle_takes_the_rows_along_once():
    bounds = every.result("bounds")
    assert len(pickle.dumps((bounds, bounds.effect))) < len(pickle.dumps(bounds)) + 500


def test_metrics_of_ones_own_stay_with_the_study():
    study = every.fitted()
    curves = study.stress_curves("a", taus=3, metrics=[every.gap, "error_rate"])
    fine = curves.at(5)
    assert np.allclose(fine._curves.value[:, 0], fine._curves.value[:, 1])
    assert list(callables(curves, "curves")) == []
    read = pickle.loads(pickle.dumps(curves))
    pd.testing.assert_frame_equal(read.frame, curves.frame)
    with pytest.raises(InputError, match=r"'gap' was left behind when .*with_source\(study\)"):
        read.at(5)
    pd.testing.assert_frame_equal(read.with_source(study).at(5).frame, fine.frame)


def test_functions_of_one_name_are_told_apart():
    study = every.fitted()
    first, second = (
        study.stress_curves("a", taus=3, metrics=lambda truth, predicted, sample_weight=None, k=k: float(k))
        for k in (1, 2)
    )
    assert first.at(5)._curves.value.max() == 1
    assert second.at(5)._curves.value.min() == 2


def test_moments_of_ones_own_stay_with_the_study():
    study, result = every.study(), every.result("reweighting")
    assert repr(result.stress) == repr(every.STRESS)
    np.testing.assert_array_equal(study.reweight(result.stress).weights, result.weights)
    read = pickle.loads(pickle.dumps(result))
    assert repr(read.stress) == repr(every.STRESS)
    with pytest.raises(InputError, match="left behind"):
        read.source.reweight(read.stress)


def test_a_study_pickles_with_its_model():
    study = every.fitted()
    study.effect("a", grid=4)
    read = pickle.loads(pickle.dumps(study))
    assert read._has_model
    assert read._cache.n_bytes == 0
    alike(read.predict(every.numbers()), study.predict(every.numbers()))
    alike(read.stress_curves(taus=3).frame, study.stress_curves(taus=3).frame)
    alike(read.effect("a", grid=4).frame, study.effect("a", grid=4).frame)


def test_without_its_model_a_study_keeps_rows_and_name():
    study = every.study()
    bare = study._without_model()
    assert bare is study._without_model() is bare._without_model()
    assert (bare._model_name, bare._has_model, bare.n_rows) == (study._model_name, False, study.n_rows)
    read = pickle.loads(pickle.dumps(bare.where(np.arange(160) < 90)))
    with pytest.raises(InputError, match="was left behind"):
        read.predict(every.rows()[0])
    alike(
        bare.under(every.STRESS).stress_curves("b", taus=3).frame,
        study.under(every.STRESS).stress_curves("b", taus=3).frame,
    )


def test_pickled_weights_are_still_read_only():
    for way in WAYS[:2]:
        weights = way(every.result("reweighting"), None).weights
        with pytest.raises(ValueError, match="read-only"):
            weights[0] = 0
