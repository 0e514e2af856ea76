import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

import tauscope as ts
from chunked.mixed_rows import N, fitted, truth


def older(rows):
    return (rows["age"] > 60).astype(float)


def two(rows):
    return np.stack([rows["age"] * 1.0, rows["balance"] ** 2], 1)


STRESSES = {
    "mean by tau": ts.Mean("income", tau=0.5),
    "zero-inflated": ts.Mean("gain", tau=0.4),
    "several": ts.Mean("age", tau=0.5) & ts.Share("sex", "F", 0.7) & ts.Mean("balance", target=0.2),
    "variance": ts.Variance("balance", scale=1.4) & ts.Mean("age", target=50),
    "covariance": ts.Covariance("age", "balance", 2.0),
    "missing": ts.Share("balance", "missing", 0.2) & ts.Mean("balance", tau=-0.3),
    "rare level": ts.Share("job", "d", 0.01) & ts.Share("member", True, tau=0.3),
    "moment": ts.Moment(older, 0.5) & ts.Mean("income", tau=-0.2),
    "moments with gaps": ts.Moment(two, [50.0, 1.1], name="two"),
}


def assert_same(got, want):
    pd.testing.assert_series_equal(got.multipliers, want.multipliers, rtol=1e-7, atol=1e-9)
    pd.testing.assert_frame_equal(got.achieved, want.achieved, rtol=1e-9, atol=1e-9)
    pd.testing.assert_frame_equal(got.metrics, want.metrics, rtol=1e-9, atol=1e-9)
    for name in ("ess", "degrees_of_freedom", "kl", "tv", "pareto_k", "largest_weight", "carriers", "_judged"):
        assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-8, abs=1e-9), name
    assert (got.notes, got.status, got.n_rows, got._caveats) == (want.notes, want.status, want.n_rows, want._caveats)


@pytest.fixture(scope="module")
def study(model, X, y):
    return ts.Study(model, X, y)


@pytest.mark.slow
@pytest.mark.parametrize("stress", list(STRESSES.values()), ids=list(STRESSES))
def test_chunks_give_what_the_rows_give(X, y, model, study, stress):
    chunks = [(X[i : i + 900], y[i : i + 900]) for i in range(0, N, 900)]
    got = ts.ChunkedStudy(model, chunks).reweight(stress, progress=False)
    want = study.reweight(stress)
    assert_same(got, want)
    assert got.population == want.population
    assert repr(got).startswith(got.population)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression", "margins"])
def test_every_task_and_what_its_answers_are(X, task):
    y = truth(X, "binary" if task == "margins" else task)
    model = fitted(task, X, y)
    asked = {
        "multiclass": ts.Share("prediction", "high", 0.4) & ts.Mean("error", target=0.3),
        "regression": ts.Mean("residual", target=0.2) & ts.Variance("prediction", scale=1.1),
        "margins": ts.Mean("score", tau=0.3) & ts.Mean("error", tau=-0.2),
    }[task]
    chunks = [(X[i : i + 900], y[i : i + 900]) for i in range(0, N, 900)]
    got = ts.ChunkedStudy(model, iter(chunks)).reweight(asked, quantile=0.1, confidence=0.8)
    assert_same(got, ts.Study(model, X, y).reweight(asked, quantile=0.1, confidence=0.8))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["several", "moment"])
def test_partitions_give_what_the_rows_give(X, y, model, study, name):
    frame = dd.from_pandas(X.assign(y=y), npartitions=3).clear_divisions()
    got = ts.ChunkedStudy.from_dask(model, frame, target="y").reweight(STRESSES[name])
    assert_same(got, study.reweight(STRESSES[name]))


@pytest.fixture(scope="module")
def rule():
    def model(rows):
        return np.where(rows["age"] > 50, "yes", "no")

    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stress", "error", "message"),
    [
        (ts.Mean("agee", tau=0.5), ts.UnknownName, "age"),
        (ts.Mean("sex", tau=0.5), ts.InputError, "has levels, not a mean"),
        (ts.Mean("age", target=200), ts.InfeasibleTarget, "the rows lie between 18 and 89"),
        (ts.Mean("balance", target=200), ts.InfeasibleTarget, "mean of balance cannot become 200"),
        (ts.Share("sex", "F", 0.5) & ts.Share("sex", "M", 0.4), ts.DependentConstraints, "linear function"),
        (ts.Share("sex", "F", 1.0), ts.InputError, "edge of what the rows allow"),
        (ts.Mean("age", target=80) & ts.Variance("age", target=900), ts.InfeasibleTarget, "meet all 2 constraints"),
        (ts.Moment(np.zeros(N), 0.0), ts.InputTypeError, "needs a function"),
        (ts.Moment(lambda rows: np.zeros(3), 0.0, name="three"), ts.InputError, "one number per row and target"),
        (ts.Mean("error", target=0.1), ts.InputError, "needs the truth"),
    ],
)
def test_stresses_that_cannot_be_are_refused(X, rule, stress, error, message):
    chunks = [X[i : i + 900] for i in range(0, N, 900)]
    with pytest.raises(error, match=message):
        ts.ChunkedStudy(rule, chunks).reweight(stress)


def test_a_column_of_one_value_is_refused(X, rule):
    with pytest.raises(ts.InputError, match="'gain' has only 3"):
        ts.ChunkedStudy(rule, [X.assign(gain=3.0)]).reweight(ts.Mean("gain", tau=0.5))
    with pytest.raises(ts.InputError, match="there are none"):
        ts.ChunkedStudy(rule, [X[:0]]).reweight(ts.Mean("age", tau=0.5))


def test_a_function_needs_rows_that_stay(X, rule):
    with pytest.raises(ts.InputError, match="Give a list"):
        ts.ChunkedStudy(rule, iter([X])).reweight(ts.Moment(older, 0.5))


def test_a_failing_partition_is_named(X, rule):
    def fails_late(part):
        if len(part) and part.index[0] >= N / 2:
            raise OSError("the disk is gone")
        return part

    frame = dd.from_pandas(X, npartitions=4)
    study = ts.ChunkedStudy.from_dask(rule, frame.map_partitions(fails_late, meta=frame._meta))
    with pytest.raises(ts.FailedPartition, match="Partition 3 of 4 failed: OSError"):
        study.reweight(ts.Mean("age", tau=0.5))


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
def test_a_heavy_tail_of_errors_is_said_of_chunks_too(weighted):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=3000), "b": rng.normal(size=3000)})
    y = X["a"].to_numpy() + rng.standard_t(2.5, 3000)
    weight = rng.uniform(0.5, 2.0, 3000) if weighted else None
    parts = [slice(i, i + 700) for i in range(0, 3000, 700)]
    chunks = [X[part].assign(y=y[part], **({"w": weight[part]} if weighted else {})) for part in parts]
    model = LinearRegression().fit(X, y)
    options = {"target": "y", "sample_weight": "w" if weighted else None}
    got = ts.ChunkedStudy(model, chunks, **options).reweight(ts.Mean("a", tau=0.3), progress=False)
    want = ts.Study(model, X, y, sample_weight=weight).reweight(ts.Mean("a", tau=0.3))
    of_rmse = want.metrics.set_index("metric").loc["rmse"]
    assert of_rmse["reliability"] == "unreliable"
    pd.testing.assert_frame_equal(got.metrics, want.metrics, rtol=1e-8)


def test_a_scenario_is_refused_before_a_row_is_read(model):
    study = ts.ChunkedStudy(model, lambda: 1 / 0)
    with pytest.raises(
        ts.InputError, match=r"rows in memory; got ts\.Scenario\('a', .*sample\(\)\.reweight\(scenario\)"
    ):
        study.reweight(ts.Scenario("a", {"age": 0.5}))
