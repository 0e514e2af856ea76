"""Weighted rows in chunks against the same rows in memory."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import TAUS, N, assert_same_curves, sketch_of, uneven_weights
from chunked.test_study_reweight import STRESSES, assert_same as assert_same_reweighting
from tauscope.stress.reliability import CODES


@pytest.fixture(scope="module")
def weight():
    return uneven_weights()


@pytest.fixture(scope="module")
def data(X, y, weight):
    return X.assign(y=y, w=weight)


@pytest.fixture(scope="module")
def weighted_study(model, X, y, weight):
    return ts.Study(model, X, y, sample_weight=weight)


def cut(frame, rows=1300):
    return [frame.iloc[i : i + rows] for i in range(0, len(frame), rows)]


@pytest.mark.slow
def test_a_sketch_keeps_the_heaviest_of_weighted_rows_alone():
    rng = np.random.default_rng(0)
    n, sizes = 100_000, {}
    frame = pd.DataFrame({"level": rng.choice([*"abc"], n), "number": rng.normal(size=n), "p": rng.random(n)})
    frame["w"] = rng.exponential(size=n)
    for weight in (None, "w"):
        chunks = [frame[["level", "number", "p", *([weight] if weight else [])]]]
        options = {"task": "regression", "sample_weight": weight}
        made = sketch_of(None, chunks, prediction="p", **options)
        again = sketch_of(None, chunks * 2, prediction="p", **options)
        for name, one in (("once", made), ("twice", again)):
            kept = [column.sums.heaviest for column in one._sums.columns]
            sizes[weight, name] = [0 if tops is None else len(tops.values) for tops in kept]
    assert sizes[None, "once"] == sizes[None, "twice"] == [0, 0]
    (levels, numbers), (more, _) = sizes["w", "once"], sizes["w", "twice"]
    assert levels == pytest.approx(3 * 6 * np.sqrt(n), rel=0.01)
    assert more == pytest.approx(np.sqrt(2) * levels, rel=0.01)
    assert 0 < numbers < 15 * 6 * np.sqrt(n)


@pytest.mark.slow
@pytest.mark.parametrize("name", STRESSES)
def test_weighted_reweighting_is_that_of_the_rows(data, model, weighted_study, name):
    got = ts.ChunkedStudy(model, cut(data), target="y", sample_weight="w").reweight(STRESSES[name])
    assert_same_reweighting(got, weighted_study.reweight(STRESSES[name]))


def few_heavy(n=2000):
    """Rows of which some few weigh much as they come: 4, 20, or unevenly all; or little."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=n), "four": 1.0 * (np.arange(n) < 4), "many": 1.0 * (np.arange(n) < 20)})
    X["few"] = 1.0 * (np.arange(n) % 150 == 7)
    four, many = (np.where(X[name] > 0, by, 1.0) for name, by in (("four", 30.0), ("many", 50.0)))
    light = np.where(X["few"] > 0, 0.5, 1.0)
    return X, {"four": four, "many": many, "light": light, "uneven": rng.lognormal(0, 2.5, n) * (rng.random(n) > 0.1)}


@pytest.mark.parametrize(
    ("base", "stress", "reason", "n_carriers"),
    [
        ("many", ts.Mean("many", target=0.5), "none", 0),  # 20 rows hold half of all weight, and a third before
        ("light", ts.Mean("few", target=0.15), "some_carriers", 14),  # those that move weighed half of what others do
        ("four", ts.Mean("four", target=0.08), "some_rows_carry_all", 0),
        ("four", ts.Mean("four", target=0.2), "heavy_weights", 0),
        ("uneven", ts.Mean("a", tau=0.7), "heavy_weights", None),
        ("uneven", ts.Mean("few", target=0.9), "few_rows_carry_all", None),
    ],
)
def test_chunks_judge_weights_by_those_that_rows_had_before(base, stress, reason, n_carriers):
    X, weights = few_heavy()
    data = X.assign(w=weights[base])
    want = ts.Study(at_least_zero, X, sample_weight=weights[base]).reweight(stress)
    assert want._judged.reason == CODES[reason]
    for rows in (300, len(X)):
        got = ts.ChunkedStudy(at_least_zero, cut(data, rows), sample_weight="w").reweight(stress, progress=False)
        for name in ("ess", "degrees_of_freedom", "pareto_k", "carriers", "_judged", "tv", "largest_weight"):
            assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-9), name
        assert got._caveats == want._caveats
        assert n_carriers is None or got.carriers.n == n_carriers


def at_least_zero(rows):
    return (rows["a"] >= 0).astype(int)


WEIGHTED_EFFECTS = [
    *((kind, feature) for kind in ("pd", "cd", "ale") for feature in ("age", "income", "gain", "balance")),
    *((kind, feature) for kind in ("pd", "cd") for feature in ("job", ["age", "sex"])),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "feature"), WEIGHTED_EFFECTS)
def test_weighted_effects_are_those_of_the_rows(data, model, weighted_study, kind, feature):
    got = ts.ChunkedStudy(model, cut(data), target="y", sample_weight="w").effect(feature, kind=kind, grid=8)
    want = weighted_study.effect(feature, kind=kind, grid=8, method="brute")
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-10, check_dtype=False)
    assert got.notes == want.notes
    assert got.ess == pytest.approx(want.ess)
    assert f"effective sample {want.ess:,.0f} of 5,000" in repr(got)


@pytest.mark.slow
def test_weighted_partitions(model, data, weighted_study):
    frame = dd.from_pandas(data, npartitions=4)
    stress, options = STRESSES["several"], {"target": "y", "sample_weight": "w"}
    study = ts.ChunkedStudy.from_dask(model, frame, **options)
    assert_same_reweighting(study.reweight(stress), weighted_study.reweight(stress))
    found = study.effect("income", grid=6)
    want = weighted_study.effect("income", grid=6, method="brute")
    pd.testing.assert_frame_equal(found.frame, want.frame, rtol=1e-9, atol=1e-10, check_dtype=False)


@pytest.mark.slow
def test_equal_weights_are_none(model, X, y, want):
    chunks = [(part, y[part.index]) for part in cut(X.assign(w=2.5))]
    got = sketch_of(model, chunks, sample_weight="w").stress_curves(taus=TAUS)
    assert_same_curves(got, want, tolerance=1e-8)


@pytest.mark.slow
def test_a_chunk_that_does_not_count_adds_nothing(model, X, y, weight):
    weight = np.where(np.arange(N) < 1300, 0.0, weight)
    study, data = ts.Study(model, X, y, sample_weight=weight), X.assign(y=y, w=weight)
    options = {"target": "y", "sample_weight": "w"}
    sketch = sketch_of(model, cut(data), **options)
    assert_same_curves(sketch.stress_curves(taus=TAUS), study.stress_curves(taus=TAUS))
    stress = STRESSES["missing"]
    assert_same_reweighting(ts.ChunkedStudy(model, cut(data), **options).reweight(stress), study.reweight(stress))
    got = ts.ChunkedStudy(model, cut(data), **options).effect("age", kind="ale", grid=8)
    want = study.effect("age", kind="ale", grid=8)
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-10, check_dtype=False)


@pytest.mark.slow
def test_weighted_and_unweighted_sketches_do_not_add(model, data):
    weighted = sketch_of(model, cut(data[:1300]), target="y", sample_weight="w")
    plain = sketch_of(model, cut(data.drop(columns="w")), target="y")
    with pytest.raises(ts.InputError, match="same weighting; got 'with sample_weight' and 'without sample_weight'"):
        weighted + plain


@pytest.mark.parametrize(
    ("change", "given", "error", "message"),
    [
        (lambda d: d, "v", ts.UnknownName, "In chunk 1: .*sample_weight column 'v'"),
        (lambda d: d.assign(w=-1.0), "w", ts.InputError, "In chunk 1: sample_weight must be zero or more; 1300 are"),
        (lambda d: d.assign(w=np.nan), "w", ts.InputError, "In chunk 1: sample_weight must have a finite value"),
        (lambda d: d.assign(w="much"), "w", ts.InputTypeError, "In chunk 1: sample_weight must be numbers"),
        (lambda d: d.assign(w=0.0), "w", ts.InputError, "sample_weight must be above zero in some row"),
        (lambda d: d.assign(w=1e80), "w", ts.InputError, "In chunk 1: sample_weight .* between 1e-60 and 1e60"),
        (lambda d: d, np.ones(N), ts.InputTypeError, "sample_weight names a column of the rows; got a ndarray"),
    ],
)
@pytest.mark.slow
def test_weights_that_cannot_be_used(model, data, change, given, error, message):
    chunks = [change(part) for part in cut(data)]
    for ask in (
        lambda study: study.sketch(),
        lambda study: study.reweight(ts.Mean("age", tau=0.2)),
        lambda study: study.effect("age"),
    ):
        with pytest.raises(error, match=message):
            ask(ts.ChunkedStudy(model, chunks, target="y", sample_weight=given))


def test_arrays_have_no_column_of_weights(model, X):
    with pytest.raises(ts.InputTypeError, match="sample_weight names a column of every chunk's frame"):
        sketch_of(lambda rows: rows[:, 0] > 0, [X[["age"]].to_numpy(float)], sample_weight="w")


@pytest.mark.slow
def test_one_class_of_weight_above_zero_is_refused_as_in_memory(model, data):
    alone = data.assign(w=np.where(data["y"] == "yes", data["w"], 0.0))
    sketch = sketch_of(model, cut(alone), target="y", sample_weight="w")
    with pytest.raises(ts.InputError, match="y must hold both classes"):
        sketch.stress_curves()
