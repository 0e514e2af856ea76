"""Curves of groups of rows in chunks: the numbers of the rows in memory, columns in bins and value by value."""

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from chunked.mixed_rows import fitted, mixed_rows, truth
from chunked.uneven_chunks import both_of, cut, lacking

N = 2600
ENDS = [0, 7, 900, 1000, N]


def rows(task: str) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw rows in which a group is absent from a chunk, and a column of groups has gaps."""
    X = mixed_rows(N)
    y = truth(X, task)
    lacking(X, 900)
    drawn = np.random.default_rng(7).normal(size=N)
    X["capped"] = np.minimum(drawn, 1.0)  # τ = 1 is the largest value itself, which is a heap
    X["capped of men"] = np.minimum(np.where(X["sex"] == "M", drawn, drawn - 9), 1.0)
    return X, y


def both(task: str = "binary") -> tuple[ts.Study, ts.ChunkedStudy]:
    return both_of(task, *rows(task), ENDS)


def assert_same(got: ts.CurvesByGroup, want: ts.CurvesByGroup) -> None:
    doubts = ["reliability", "note"]  # where just ten events count, rounding has ten or a hair less
    here, there = got.frame, want.frame
    pd.testing.assert_frame_equal(here.drop(columns=doubts), there.drop(columns=doubts), rtol=1e-9, atol=1e-9)
    assert (here[doubts] != there[doubts]).any(axis=1).sum() <= 4
    ties = ["largest", "smallest", "worst", "reliability"]  # of groups with one value, rounding names either
    pd.testing.assert_frame_equal(got.gaps.drop(columns=ties), want.gaps.drop(columns=ties), rtol=1e-9, atol=1e-9)
    assert (got.title, got.notes, got.group_rows) == (want.title, want.notes, want.group_rows)


FEATURES = [
    "age",
    "income",
    "gain",
    "balance",
    "capped",
    "capped of men",
    "balance = missing",
    "sex = M",
    "job = b",
    "member",
]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["sex", "job", ["sex", "member"]], ids=str)
def test_groups_are_those_of_the_rows_in_memory(by: str | list[str]) -> None:
    study, chunked = both()
    options = {"features": FEATURES, "taus": 5}
    assert_same(chunked.stress_curves(**options).by(by), study.stress_curves(**options).by(by))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_every_task(task: str) -> None:
    study, chunked = both(task)
    options = {"features": ["income", "balance", "sex = M"], "taus": [-1, -0.3, 0, 0.7, 1], "confidence": 0.9}
    assert_same(chunked.stress_curves(**options).by("sex"), study.stress_curves(**options).by("sex"))


@pytest.mark.slow
def test_weighted_rows_and_another_quantile() -> None:
    X, y = rows("binary")
    model = fitted("binary", X, y)
    weight = np.random.default_rng(3).gamma(1, size=N) * (np.arange(N) % 11 > 0)
    study = ts.Study(model, X, y, sample_weight=weight, progress=False)
    frames = [part.assign(y=truths, w=weight[part.index]) for part, truths in cut(X, y, ENDS)]
    chunked = ts.ChunkedStudy(model, iter(frames), target="y", sample_weight="w", progress=False)
    options = {
        "features": ["age", "income", "balance", "job = b"],
        "taus": 5,
        "quantile": 0.1,
        "metrics": ["f1", "log_loss"],
    }
    assert_same(chunked.stress_curves(**options).by("sex"), study.stress_curves(**options).by("sex"))


@pytest.mark.slow
def test_the_model_is_not_asked_again() -> None:
    X, y = rows("binary")
    model = fitted("binary", X, y)
    asked: list[int] = []

    def counting(part: pd.DataFrame) -> np.ndarray:
        asked.append(len(part))
        return model.predict(part)

    curves = ts.ChunkedStudy(counting, cut(X, y, ENDS), progress=False).stress_curves(
        "age", taus=3, metrics="error_rate"
    )
    before = sum(asked)
    found = curves.by("sex")
    assert sum(asked) == before
    assert [one.group for one in found.frame.itertuples()][:1] == ["F"]


@pytest.mark.slow
def test_what_needs_the_rows_is_refused() -> None:
    _, chunked = both()
    curves = chunked.stress_curves("age", taus=3, metrics="error_rate")
    with pytest.raises(ts.InputError, match=r"quantile of its own rows\. Leave it out, or use Study"):
        curves.by("sex", within=True)
    with pytest.raises(ts.InputError, match="told apart by their columns"):
        curves.by(np.zeros(N, bool))
    with pytest.raises(ts.UnknownName, match="sexx"):
        curves.by("sexx")
    with pytest.raises(ts.InputError, match="'roc_auc' takes them all at once"):
        chunked.stress_curves("age", taus=3, metrics=["error_rate", "roc_auc"]).by("sex")
