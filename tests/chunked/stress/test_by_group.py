"""Groups of rows in chunks: the numbers of the rows in memory, with chunks that lack a group and values that lack."""

import pickle

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth
from chunked.uneven_chunks import both_of, cut, lacking

N = 950
ENDS = [0, 7, 300, 310, N]


def rows(task: str = "binary") -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows in which a group is absent from a chunk, and a column of groups has gaps."""
    X = mixed_rows(N)
    y = truth(X, "binary" if task == "margins" else task)
    lacking(X, 310)
    X["grade"] = np.where(np.arange(N) % 9 == 0, np.nan, X["age"] // 30)
    return X, y


def both(task: str = "binary") -> tuple[ts.Study, ts.ChunkedStudy]:
    return both_of(task, *rows(task), ENDS)


def assert_same(got: ts.MetricsByGroup, want: ts.MetricsByGroup) -> None:
    pd.testing.assert_frame_equal(got.frame, want.frame, rtol=1e-9, atol=1e-9)
    ties = ["largest", "smallest", "worst"]  # of groups with one value, rounding names the one or the other
    pd.testing.assert_frame_equal(got.gaps.drop(columns=ties), want.gaps.drop(columns=ties), rtol=1e-9, atol=1e-9)
    at = want.frame.set_index(["group", "metric"])["value"]
    for one, other in zip(got.gaps.to_dict("records"), want.gaps.to_dict("records"), strict=True):
        for end in ties[:2]:
            assert at[one[end], one["metric"]] == pytest.approx(at[other[end], other["metric"]], abs=1e-9)
    assert (got.caption, got.notes, got.n_rows) == (want.caption, want.notes, want.n_rows)
    words = [str(one).split("\n")[: 1 + min(24, len(want.frame))] for one in (got, want)]
    assert words[0] == words[1]


GROUPS = ["job", "grade", "member", ["sex", "job"], ["grade", "member", "grade"]]


@pytest.mark.slow
@pytest.mark.parametrize("by", GROUPS, ids=str)
def test_groups_are_those_of_the_rows_in_memory(by: str | list[str]) -> None:
    study, chunked = both()
    assert_same(chunked.metrics_by(by), study.metrics_by(by))
    stress = ts.Mean("age", tau=0.4) & ts.Share("member", True, 0.3)
    assert_same(chunked.reweight(stress).by(by), study.reweight(stress).by(by))


STRESSES = {
    "in units": ts.Mean("age", target=55),
    "along tau, gaps": ts.Mean("balance", tau=-0.5),
    "kept": ts.Mean("age", shift=0),
    "a variance": ts.Variance("age", scale=0.8),
    "the groups' own share": ts.Share("sex", "M", 0.5),
}


CASES = [
    *(("binary", name) for name in STRESSES),
    ("multiclass", "in units"),
    ("regression", "along tau, gaps"),
    ("regression", "in units"),
    ("margins", "a variance"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "name"), CASES)
def test_every_task_and_stress(task: str, name: str) -> None:
    study, chunked = both(task)
    stress, options = STRESSES[name], {"confidence": 0.9}
    assert_same(chunked.reweight(stress, **options).by("sex"), study.reweight(stress, **options).by("sex"))


@pytest.mark.slow
def test_weights_of_rows_and_groups_without_any() -> None:
    X, y = rows()
    model = fitted("binary", X, y)
    weight = np.random.default_rng(3).gamma(1, size=N) * (X["job"] != "b").to_numpy()
    study = ts.Study(model, X, y, sample_weight=weight, progress=False)
    frames = [part.assign(y=truths, w=weight[part.index]) for part, truths in cut(X, y, ENDS)]
    chunked = ts.ChunkedStudy(model, iter(frames), target="y", sample_weight="w", progress=False)
    for by in ("job", ["sex", "job"]):
        assert_same(chunked.metrics_by(by, confidence=0.8), study.metrics_by(by, confidence=0.8))
        stress = ts.Mean("age", tau=-0.3)
        assert_same(chunked.reweight(stress).by(by), study.reweight(stress).by(by))


@pytest.mark.slow
def test_metrics_that_are_named_and_those_of_ranks() -> None:
    study, chunked = both()
    names = ["recall", "log_loss"]
    assert_same(chunked.metrics_by("sex", metrics=names), study.metrics_by("sex", metrics=names))
    moved = chunked.reweight(ts.Mean("age", target=50), metrics=names).by("sex")
    assert [metric.name for metric in moved.metrics] == names
    auc = chunked.metrics_by("sex", metrics="roc_auc")
    want = study.metrics_by("sex", metrics="roc_auc").frame
    off = float(auc.bounds[0].split("at most ")[1])
    assert 0 < off < 0.05
    assert (auc.frame["value"] - want["value"]).abs().max() <= off
    assert auc.notes[-1] == auc.bounds[0]


@pytest.mark.slow
def test_functions_partitions_pickles_and_passes() -> None:
    X, y = rows()
    model = fitted("binary", X, y)
    study = ts.Study(model, X, y, progress=False)
    reads = [0]

    def chunks():
        reads[0] += 1
        return iter(cut(X, y, ENDS))

    chunked = ts.ChunkedStudy(model, chunks, progress=False)
    stress = ts.Moment(lambda part: part["age"] * part["member"], 12.0, name="age of members")
    moved, want = chunked.reweight(stress), study.reweight(stress)
    before = reads[0]
    assert_same(moved.by("sex"), want.by("sex"))
    assert reads[0] - before == 3  # which groups, their sums, their residuals: the stress is solved already
    with pytest.raises(ts.InputError, match="left behind when a result was pickled"):
        pickle.loads(pickle.dumps(chunked.reweight(ts.Mean("age", target=50)))).by("sex")
    X["job"] = X["job"].fillna("z")  # Dask hands missing text on as another value than the model was fitted on
    study = ts.Study(model, X, y, progress=False)
    by_dask = ts.ChunkedStudy.from_dask(model, dd.from_pandas(X.assign(y=y), npartitions=3), target="y", progress=False)
    stress = ts.Mean("age", tau=0.5)
    assert_same(by_dask.reweight(stress).by(["sex", "job"]), study.reweight(stress).by(["sex", "job"]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("by", "error", "words"),
    [
        ("race", ts.UnknownName, "race"),
        (["sex", "race"], ts.UnknownName, "race"),
        ("income", ts.InputError, "at most 10 values; got"),
        (["age", "income"], ts.InputError, "at most 10 values; got"),
        (3, ts.InputTypeError, "by must name groups of rows; got 3"),
        ([], ts.InputTypeError, "by must name groups of rows"),
    ],
)
def test_errors_are_those_of_rows_in_memory(by: object, error: type, words: str) -> None:
    said: list[str] = []
    for one in both():
        with pytest.raises(error, match=words) as raised:
            one.metrics_by(by)
        said.append(str(raised.value))
    assert said[0].split(". ")[0] == said[1].split(". ")[0]  # the next step may be another


@pytest.mark.slow
def test_what_chunks_cannot_tell_apart_is_refused() -> None:
    _, chunked = both()
    with pytest.raises(ts.InputError, match=r"told apart by their columns.+Name a column"):
        chunked.metrics_by(np.zeros(N, bool))
    with pytest.raises(ts.InputError, match="fit to all rows at once"):
        chunked.metrics_by("sex", metrics="calibration_slope")
    with pytest.raises(ts.UnknownName):
        chunked.metrics_by("sex", metrics="eror_rate")
    with pytest.raises(ts.InputError, match="confidence"):
        chunked.metrics_by("sex", confidence=1.5)
    X = pd.DataFrame({"x": np.arange(1000.0), "k": [f"level {i % 250}" for i in range(1000)]})
    study = ts.ChunkedStudy(lambda part: part["x"].to_numpy(), [(X, X["x"].to_numpy())], progress=False)
    with pytest.raises(ts.InputError, match="at most 200 groups; got 250 by 'k'"):
        study.metrics_by("k")
