"""Sketches: the curves of the rows from their sums, plain and weighted; added, saved, and given more rows."""

from typing import NamedTuple

import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from chunked.mixed_rows import TAUS, N, assert_same_curves, fitted, sketch_of, truth, uneven_weights
from tauscope.views.packing import DRAWN, unpack
from tauscope.views.stress.curves_message import stress_curves_wire


@pytest.fixture(scope="module")
def data(X, y):
    return X.assign(y=y)


class Case(NamedTuple):
    """Rows with what their columns are, the sketch of them, and their curves in memory."""

    data: pd.DataFrame
    roles: dict[str, str]
    sketch: ts.StressSketch
    want: ts.StressCurves


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "weighted"])
def case(request, model, X, y, data, sketch, want):
    if not request.param:
        return Case(data, {"target": "y"}, sketch, want)
    weight, roles = uneven_weights(), {"target": "y", "sample_weight": "w"}
    weighted = data.assign(w=weight)
    want = ts.Study(model, X, y, sample_weight=weight).stress_curves(taus=TAUS)
    return Case(weighted, roles, sketch_of(model, cut(weighted), **roles), want)


def sketch_parquet(model, path, **options):
    return ts.ChunkedStudy.from_parquet(model, path, **options).sketch()


def cut(frame, rows=1300):
    return [frame.iloc[i : i + rows] for i in range(0, len(frame), rows)]


@pytest.fixture(scope="module")
def sketch(model, data):
    return sketch_of(model, cut(data), target="y")


@pytest.mark.slow
@pytest.mark.parametrize("task", ["binary", "multiclass", "regression", "margins"])
@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("weight", [None, uneven_weights()], ids=["plain", "weighted"])
def test_chunks_give_what_the_rows_give(X, task, labelled, weight):
    y = truth(X, "binary" if task == "margins" else task)
    model = fitted(task, X, y)
    rows, options = (X, {}) if weight is None else (X.assign(w=weight), {"sample_weight": "w"})
    chunks = [(rows.iloc[i : i + 1300], y[i : i + 1300] if labelled else None) for i in range(0, N, 1300)]
    got = sketch_of(model, chunks, **options).stress_curves(taus=TAUS)
    assert_same_curves(got, ts.Study(model, X, y if labelled else None, sample_weight=weight).stress_curves(taus=TAUS))


@pytest.mark.slow
def test_any_source_of_chunks_will_do(model, case, tmp_path):
    data, roles = case.data, case.roles
    (tmp_path / "parts").mkdir()
    for number, part in enumerate(cut(data, 2500)):
        part.to_parquet(tmp_path / "parts" / f"{number}.parquet", row_group_size=700)
    data.to_parquet(tmp_path / "all.parquet")
    inputs = [name for name in data.columns if name not in roles.values()]
    pairs = ((part.drop(columns="y"), part["y"]) for part in cut(data))
    sources = [
        sketch_of(model, lambda: iter(cut(data)), **roles),
        sketch_of(model, iter(cut(data)), **roles),
        sketch_of(model, pairs, **{role: name for role, name in roles.items() if role != "target"}),
        sketch_of(model, [data.iloc[:0], data, data.iloc[:0]], **roles),
        sketch_parquet(model, tmp_path / "all.parquet", chunk_rows=999, **roles),
        sketch_parquet(model, tmp_path / "parts", columns=inputs, **roles),
        ts.ChunkedStudy.from_dask(model, dd.from_pandas(data, npartitions=4), **roles),
    ]
    for source in sources:
        assert_same_curves(source.stress_curves(taus=TAUS), case.want)


@pytest.mark.slow
def test_an_iterator_is_read_once_and_its_rows_asked_about_once_but_for_a_few(X, y):
    asked = []

    def model(rows):
        asked.append(len(rows))
        return np.where(rows["age"] > 50, "yes", "no")

    chunks = ((X.iloc[i : i + 1300], y[i : i + 1300]) for i in range(0, N, 1300))
    got = sketch_of(model, chunks).stress_curves(taus=TAUS)
    assert sum(asked) == N + 8  # of the first chunk, to see whether its answers change
    want = ts.Study(model, X, y).stress_curves(taus=TAUS)
    assert_same_curves(got, want)


@pytest.mark.slow
def test_arrays_and_polars(X, y):
    numbers = X[["age", "income"]].to_numpy(float)
    model = LogisticRegression().fit(numbers, y)
    chunks = [(numbers[i : i + 999], y[i : i + 999]) for i in range(0, N, 999)]
    got = sketch_of(model, chunks, quantile=0.1).stress_curves(taus=TAUS)
    assert_same_curves(got, ts.Study(model, numbers, y).stress_curves(taus=TAUS, quantile=0.1))
    frame = pl.DataFrame({"a": numbers[:, 0], "b": numbers[:, 1], "y": y})

    def rule(rows):
        return np.where(rows["a"].to_numpy() > 50, "yes", "no")

    got = sketch_of(rule, list(frame.iter_slices(777)), target="y").stress_curves(taus=TAUS)
    assert_same_curves(got, ts.Study(rule, frame.drop("y"), y).stress_curves(taus=TAUS))


@pytest.mark.slow
def test_predictions_in_place_of_a_model(model, X, y, data):
    predicted, score = model.predict(X), model.predict_proba(X)[:, 1]
    want = ts.Study.from_predictions(X, y, predicted, score).stress_curves(taus=TAUS)
    frame = data.assign(p=predicted, s=score)
    got = sketch_of(None, cut(frame), target="y", prediction="p", score="s").stress_curves(taus=TAUS)
    assert_same_curves(got, want)
    slices = [slice(i, i + 1300) for i in range(0, N, 1300)]
    given = [(X[s], y[s], predicted[s], score[s]) for s in slices]
    assert_same_curves(sketch_of(None, given).stress_curves(taus=TAUS), want)
    by_dask = {"target": "y", "prediction": "p", "score": "s"}
    partitions = ts.ChunkedStudy.from_dask(None, dd.from_pandas(frame, npartitions=3), **by_dask)
    assert_same_curves(partitions.stress_curves(taus=TAUS), want)
    alone = sketch_of(None, [(X[s], None, None, score[s]) for s in slices], task="binary")
    assert alone._task == "binary"


@pytest.mark.slow
def test_a_function_of_probabilities(model, X, y):
    def probability(rows):
        return model.predict_proba(rows)[:, 1]

    chunks = [(X.iloc[i : i + 1300], y[i : i + 1300]) for i in range(0, N, 1300)]
    got = sketch_of(probability, chunks, pos_label="no").stress_curves(taus=TAUS)
    assert_same_curves(got, ts.Study(probability, X, y, pos_label="no").stress_curves(taus=TAUS))


def test_what_is_asked_for(sketch, model, X, y):
    study = ts.Study(model, X, y)
    asked = {"features": ["age", "sex"], "metrics": ["error_rate", "portion_no"], "confidence": 0.8, "taus": [-1, 0.3]}
    assert_same_curves(sketch.stress_curves(**asked), study.stress_curves(**asked))
    other = sketch.stress_curves(["age", "job = b"], quantile=0.2, taus=TAUS)
    assert_same_curves(other, study.stress_curves(["age", "job = b"], quantile=0.2, taus=TAUS))
    assert (sketch.n_rows, sketch._task, sketch.quantile) == (N, "binary", 0.05)
    assert sketch.feature_names == tuple(X.columns)
    assert sketch.classes == ("no", "yes")
    assert repr(sketch).startswith("StressSketch of 5,000 rows, 7 columns: binary")


@pytest.mark.slow
def test_the_result_ranks_refines_and_shows_the_same(case):
    got, want = case.sketch.stress_curves(taus=TAUS), case.want
    pd.testing.assert_series_equal(got.rank("error_rate"), want.rank("error_rate"), rtol=1e-9)
    assert_same_curves(got.at(9), want.at(9))
    a, b = stress_curves_wire(got, 5), stress_curves_wire(want, 5)
    for name, kind, off in (("curves", "<f4", 2 * DRAWN), ("population", "<f4", 1e-12), ("histograms", "<u2", 1)):
        mine, theirs = (np.frombuffer(unpack(getattr(wire, name)), kind).astype(float) for wire in (a, b))
        np.testing.assert_allclose(mine, theirs, rtol=1e-6 if kind == "<f4" else 0, atol=off)
    for mine, theirs in zip(a.message["features"], b.message["features"], strict=True):
        np.testing.assert_allclose(mine.pop("edges"), theirs.pop("edges"), rtol=1e-12)
        assert mine.pop("mean") == pytest.approx(theirs.pop("mean"), rel=1e-12)
        assert mine == theirs
    with pytest.raises(ts.InputError, match="keeps no rows"):
        got.features[0].values()


@pytest.mark.slow
def test_parts_add_up(case):
    sketch, parts = case.sketch, cut(case.data, 333)
    a, b = sketch.empty(), sketch.empty()
    for part in parts[:4]:
        a.update(part)
    assert b.update(pd.concat(parts[4:])) is b
    assert (a.n_rows, b.n_rows) == (1332, N - 1332)
    one_by_one = sum((sketch.empty().update(part) for part in parts[1:]), start=sketch.empty().update(parts[0]))
    for added in (a + b, b + a, one_by_one):
        assert_same_curves(added.stress_curves(taus=TAUS), case.want)
    np.testing.assert_allclose(
        a.stress_curves(taus=TAUS).frame["value"],
        sketch.empty().update(case.data.iloc[:1332]).stress_curves(taus=TAUS).frame["value"],
    )


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_values_about_the_quantiles_are_those_of_the_rows_summed(X, y, weighted):
    model = fitted("binary", X, y)
    many = pd.concat([X] * 5, ignore_index=True)
    many["income"] += np.random.default_rng(0).normal(size=len(many))
    data = many.assign(y=np.tile(y, 5), w=np.random.default_rng(1).integers(0, 3, len(many)).astype(float))
    options = {"sample_weight": "w"} if weighted else {}
    got = sketch_of(model, cut(data if weighted else data.drop(columns="w")), target="y", **options)
    again = got.empty().update(data if weighted else data.drop(columns="w"))
    kept = [
        [column.sums.windows for column in each._sums.columns if hasattr(column.sums, "windows")]
        for each in (got, again)
    ]
    assert any(window.values.size for windows in kept[0] for window in windows)
    for ours, theirs in zip(*kept, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert (a.low, a.high) == (b.low, b.high)
            np.testing.assert_allclose(
                [a.below, a.below_excess, a.below_squared], [b.below, b.below_excess, b.below_squared]
            )
            np.testing.assert_array_equal(a.values, b.values)
            np.testing.assert_allclose(a.counts, b.counts)


@pytest.mark.slow
def test_part_of_the_rows_answers_for_itself(sketch, model, X, y, data):
    got = sketch.empty().update(data.iloc[:2600]).stress_curves(taus=TAUS).frame
    want = ts.Study(model, X[:2600], y[:2600]).stress_curves(taus=TAUS).frame
    for name in ("value", "target", "ess", "pareto_k", "kl", "tv"):
        np.testing.assert_allclose(got[name], want[name], rtol=1e-7, atol=1e-8, err_msg=name)
    np.testing.assert_allclose(got["lower"], want["lower"], atol=1e-3)


@pytest.mark.slow
def test_a_file_brings_it_back(case, model, tmp_path):
    sketch, want = case.sketch, case.want
    sketch.save(tmp_path / "sketch.npz")
    with np.load(tmp_path / "sketch.npz", allow_pickle=False) as file:
        assert all(file[name].dtype.kind in "iufU" for name in file.files)
    assert_same_curves(ts.StressSketch.load(tmp_path / "sketch.npz").stress_curves(taus=TAUS), want)
    back = ts.StressSketch.load(str(tmp_path / "sketch.npz"), model)
    assert_same_curves((back.empty() + sketch).stress_curves(taus=TAUS), want)
    y, X = case.data["y"], case.data.drop(columns="y")
    again = back.empty().update(X[:3000], y[:3000]).update(X[3000:], y[3000:])
    assert_same_curves(again.stress_curves(taus=TAUS), want)


def test_an_empty_sketch_can_be_saved(sketch, tmp_path):
    sketch.empty().save(tmp_path / "empty.npz")
    assert ts.StressSketch.load(tmp_path / "empty.npz").n_rows == 0


def test_files_of_anything_else_are_refused(sketch, tmp_path):
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    np.savez(tmp_path / "objects.npz", head=np.array([{}], dtype=object))
    (tmp_path / "text.npz").write_text("no")
    for name in ("other.npz", "objects.npz", "text.npz"):
        with pytest.raises(ts.InputError, match=f"'{name}' holds no stress sketch"):
            ts.StressSketch.load(tmp_path / name)
    with pytest.raises(ts.InputError, match=r"saved as \.npz"):
        sketch.save(tmp_path / "sketch.pkl")


def test_new_levels_and_values_are_taken_up(X, y):
    def model(rows):
        return np.where(rows["age"] > 50, "yes", "no")

    few = X[["age", "sex"]].assign(sex=np.where(np.arange(N) < 4000, X["sex"], "X"), age=X["age"].clip(20, 80))
    few.loc[4500:, "age"] = 99
    sketch = sketch_of(model, [(few[:4000], y[:4000])])
    sketch.update(few[4000:], y[4000:])
    assert_same_curves(sketch.stress_curves(taus=TAUS), ts.Study(model, few, y).stress_curves(taus=TAUS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.assign(income=-1.0), r"'income': Values must lie in the range .* 1,300 do not"),
        (lambda d: d.drop(columns="age"), r"it lacks \['age'\]"),
        (lambda d: d.assign(more=1), r"it also has \['more'\]"),
        (lambda d: d.assign(y="perhaps"), "perhaps"),
        (lambda d: d.assign(sex=1.5), "'sex' is categorical in the sketch, and numeric here"),
        (lambda d: d.assign(age="old"), "'age' is numeric in the sketch, and categorical here"),
        (lambda d: d.assign(y=None), "y must have a value in every row"),
        (lambda d: d.assign(income=np.inf), "infinite"),
    ],
)
@pytest.mark.slow
def test_rows_that_do_not_fit_add_nothing(sketch, data, change, message):
    part = sketch.empty().update(data[:2000])
    with pytest.raises(ts.InputError, match=message):
        part.update(change(data[:1300]))
    assert part.n_rows == 2000


def test_columns_in_another_order_are_put_right(sketch, data, want):
    turned = data[data.columns[::-1]]
    assert_same_curves(sketch.empty().update(turned).stress_curves(taus=TAUS), want)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (lambda d: d.drop(columns="age"), r"chunk 2: .*it lacks \['age'\]"),
        (lambda d: d.drop(columns="y"), "chunk 2: .*target column"),
        (lambda d: d.assign(sex=1.5), "'sex' is categorical in one and numeric in another"),
        (lambda d: d.assign(y="perhaps"), "perhaps"),
        (lambda d: d.assign(income=np.inf), "chunk 2: .*infinite"),
    ],
)
@pytest.mark.slow
def test_chunks_that_do_not_go_together_are_refused(model, data, second, message):
    with pytest.raises(ts.InputError, match=message):
        sketch_of(model, [data[:2500], second(data[2500:])], target="y")


def test_a_column_without_a_value_in_one_chunk_waits_for_the_others(X, y):
    def model(rows):
        return np.where(rows["age"] > 50, "yes", "no")

    rows = X[["age", "sex", "balance"]].copy()
    rows.loc[:1299, ["sex", "balance"]] = None
    chunks = [(rows[i : i + 1300], y[i : i + 1300]) for i in range(0, N, 1300)]
    want = ts.Study(model, rows, y).stress_curves(taus=TAUS)
    assert_same_curves(sketch_of(model, chunks).stress_curves(taus=TAUS), want)


def test_truth_in_some_chunks_only_is_refused(model, X, y):
    with pytest.raises(ts.InputError, match="with y, or none"):
        sketch_of(model, [(X[:2500], y[:2500]), (X[2500:], None)])


def test_chunks_that_change_between_readings_are_refused(model, data):
    times = iter([data, data[:4000], data[:4000], data[:4000]])
    with pytest.raises(ts.InputError, match="same at every reading"):
        sketch_of(model, lambda: [next(times)], target="y")


@pytest.mark.parametrize("chunks", [[], (), "rows.csv", 5, {"a": 1}, np.zeros((3, 2))])
def test_no_chunks_are_refused(model, chunks):
    with pytest.raises((ts.InputError, ts.InputTypeError), match=r"at least one row|must be an iterable"):
        sketch_of(model, chunks)


def test_an_empty_sketch_answers_nothing(sketch):
    with pytest.raises(ts.InputError, match="needs rows to answer"):
        sketch.empty().stress_curves()


def test_one_class_alone_is_refused_as_in_memory(model, data):
    with pytest.raises(ts.InputError, match="class"):
        sketch_of(model, [data[data["y"] == "yes"]], target="y").stress_curves()


def test_what_needs_rows_is_refused(sketch):
    with pytest.raises(ts.InputError, match=r"'matthews_corrcoef'.*use a sample"):
        sketch.stress_curves(metrics="matthews_corrcoef")
    with pytest.raises(ts.InputError, match="needs the rows"):
        sketch.stress_curves(metrics=lambda a, b, sample_weight: 0.0)
    with pytest.raises(ts.InputError, match="keeps no rows, so that groups of them"):
        sketch.stress_curves("age", taus=3).by("sex")
    with pytest.raises(ts.InputError, match=r"no sums for 'log_loss'.*sketch\(metrics=\['log_loss'\]\)"):
        sketch.stress_curves(metrics=["f1", "log_loss"])
    with pytest.raises(ts.InputError, match=r"made for, 0\.05; got 0\.1.*'income'"):
        sketch.stress_curves("income", quantile=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "change", "message"),
    [
        ({}, lambda d: d.rename(columns={"age": "years"}), "same features; only one of these has 'age', 'years'. Make"),
        ({}, lambda d: d[:4000], "same bins; those of 'income'"),
        ({"quantile": 0.1}, lambda d: d, "same quantile"),
        ({"pos_label": "no"}, lambda d: d, "same classes"),
        ({"response_method": "predict"}, lambda d: d, "same quantities"),
        ({"task": "multiclass"}, lambda d: d, "same task"),
        ({"categorical_features": ["age"]}, lambda d: d, "same kind of column"),
    ],
)
def test_sketches_of_something_else_do_not_add(sketch, model, data, options, change, message):
    def renamed(rows):
        return model.predict_proba(rows.rename(columns={"years": "age"}))

    other = renamed if "years" in change(data).columns else model
    second = sketch_of(other, cut(change(data)), target="y", **options)
    with pytest.raises(ts.InputError, match=message):
        _ = sketch + second
    with pytest.raises(TypeError):
        _ = sketch + 1


def test_sketches_of_other_classes_do_not_add(X):
    def model(rows):
        return np.where(rows["age"] > 50, "a", "b")

    first, second = (sketch_of(model, [(X, np.where(X["age"] > 40, "a", other))]) for other in ("b", "c"))
    with pytest.raises(ts.InputError, match="same"):
        _ = first + second


def test_later_answers_that_read_otherwise_are_refused(X, y):
    def model(rows):
        return np.where(rows["age"].to_numpy() > 0, 0.3, 0.4) if rows.index[0] == 0 else np.full(len(rows), 7.5)

    with pytest.raises(ts.InputError, match="read as probabilities"):
        sketch_of(model, [(X[:2500], y[:2500]), (X[2500:], y[2500:])])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"quantile": 0.7}, "quantile must lie"),
        ({"target": "z"}, "chunk 1: .*target column"),
    ],
)
def test_options_that_cannot_be_used(model, data, given, message):
    with pytest.raises((ts.InputError, ts.InputTypeError), match=message):
        sketch_of(model, [data], **{"target": "y", **given})


def test_parquet_that_cannot_be_read(model, data, tmp_path):
    (tmp_path / "text.parquet").write_text("no")
    with pytest.raises(ts.InputError, match="not a Parquet file"):
        sketch_parquet(model, tmp_path / "text.parquet")
    (tmp_path / "none").mkdir()
    with pytest.raises(ts.InputError, match=r"holds no \.parquet"):
        sketch_parquet(model, tmp_path / "none")
    data.to_parquet(tmp_path / "data.parquet")
    with pytest.raises(ts.UnknownName, match="agee"):
        sketch_parquet(model, tmp_path / "data.parquet", columns=["agee"])
    with pytest.raises(ts.InputError, match="chunk_rows"):
        sketch_parquet(model, tmp_path / "data.parquet", chunk_rows=0)
    with pytest.raises(FileNotFoundError):
        sketch_parquet(model, tmp_path / "gone.parquet")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
@pytest.mark.slow
def test_a_truncated_file_is_refused(sketch, tmp_path, share):
    path = tmp_path / "sketch.npz"
    sketch.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(ts.InputError, match="holds no stress sketch"):
        ts.StressSketch.load(path)


def test_a_changed_file_and_one_too_large_are_refused(sketch, tmp_path, monkeypatch):
    path = tmp_path / "sketch.npz"
    sketch.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    name = next(name for name in arrays if name.endswith(".sums"))
    np.savez(path, **arrays | {name: -arrays[name]})
    with pytest.raises(ts.InputError, match="was changed since it was written"):
        ts.StressSketch.load(path)
    monkeypatch.setattr("tauscope.study.sketches.sketch_file.MOST_BYTES", 1000)
    with pytest.raises(ts.InputError, match="holds no stress sketch"):
        ts.StressSketch.load(path)


def test_a_save_that_fails_leaves_the_file_that_was_there(sketch, tmp_path, monkeypatch):
    path = tmp_path / "sketch.npz"
    sketch.save(path)
    before = path.read_bytes()

    def half(file, **arrays):
        file.write(b"PK")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", half)
    with pytest.raises(OSError, match="disk full"):
        sketch.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
