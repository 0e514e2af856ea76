"""Columns that a few values dwarf: chunks answer as the rows in memory do, and name the values."""

import warnings

import numpy as np
import pandas as pd
import pytest

import tauscope as ts

TAUS = [-1, -0.4, 0.3, 1]
INT64 = 2.0**63 - 1
CASES = {
    "few rows": (1200, 1, INT64, False),
    "few rows, weighted": (1200, 40, INT64, True),
    "bins": (4000, 1, INT64, False),
    "bins, weighted": (4000, 1, INT64, True),
    "the low side": (4000, 40, -1e30, False),
    "a lattice": (40_000, 1, INT64, False),
    "a lattice, weighted": (40_000, 1, INT64, True),
}


def both(n_rows, n_codes, code, weighted):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 2)), columns=["v", "a"])
    y, predicted = (frame["a"] + rng.normal(size=n_rows) > 0).astype(int), (frame["a"] > 0).astype(int)
    frame.loc[5 : 4 + n_codes, "v"] = code
    weight = rng.uniform(0.2, 2, n_rows) if weighted else None
    study = ts.Study.from_predictions(frame, y, predicted, sample_weight=weight)
    rows = frame.assign(y=y, p=predicted, **({"w": weight} if weighted else {}))
    chunks = [rows[i : i + n_rows // 4] for i in range(0, n_rows, n_rows // 4)]
    names = {"target": "y", "prediction": "p", "sample_weight": "w" if weighted else None}
    return study, ts.ChunkedStudy(None, chunks, progress=False, **names)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_curves_of_chunks_are_those_of_the_rows(case):
    study, chunked = both(*CASES[case])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        want, got = study.stress_curves(taus=TAUS), chunked.stress_curves(taus=TAUS)
    # in memory the sums of one row among thousands are good to 4e-10, and what divides by them to a hundred times that
    for name in ("target", "value", "lower", "upper", "ess", "kl", "tv", "pareto_k"):
        np.testing.assert_allclose(got.frame[name], want.frame[name], rtol=1e-5, atol=1e-6, err_msg=name)
    at_end = [f.query("feature == 'v' and tau == -1") for f in (got.frame, want.frame)]
    for name in ("target", "value", "ess", "kl", "tv"):
        np.testing.assert_allclose(*(f[name] for f in at_end), rtol=1e-9, err_msg=name)
    assert got.notes == want.notes
    assert any("far off all others: a code for missing values?" in note for note in got.notes)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_reweighting_of_chunks_is_that_of_the_rows(case):
    study, chunked = both(*CASES[case])
    towards_the_rest = 1 if CASES[case][2] < 0 else -1
    for stress in (
        ts.Mean("v", tau=towards_the_rest),
        ts.Mean("v", tau=0.3) & ts.Mean("a", tau=-0.3),
        ts.Mean("v", tau=-0.4) & ts.Mean("a", tau=0.2),
    ):
        got, want = chunked.reweight(stress), study.reweight(stress)
        assert (got.status, got.notes) == (want.status, want.notes)
        assert any("far off all others" in note for note in got.notes)
        for name in ("ess", "kl", "tv", "largest_weight"):
            assert getattr(got, name) == pytest.approx(getattr(want, name), rel=1e-8), name
        pd.testing.assert_frame_equal(got.metrics, want.metrics, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_different_values_far_off_are_counted():
    rows = pd.DataFrame({"v": np.random.default_rng(0).normal(size=4000), "y": np.arange(4000) % 2})
    rows.loc[:2, "v"] = [-1e30, -2e30, 1e20]
    given = rows.assign(p=rows.y)
    chunked = ts.ChunkedStudy(None, [given[:1000], given[1000:]], target="y", prediction="p", progress=False)
    study = ts.Study.from_predictions(rows[["v"]], rows.y, rows.y)
    notes = [note for note in chunked.reweight(ts.Mean("v", tau=-0.5)).notes if "far off" in note]
    assert notes == [note for note in study.reweight(ts.Mean("v", tau=-0.5)).notes if "far off" in note]
    assert "v: 2 rows lie far off all others, up to −2e+30" in notes[0]


def test_a_variance_that_no_weights_change_is_refused_in_chunks():
    rows = pd.DataFrame({"bin": np.arange(60) % 2, "y": np.arange(60) % 2, "p": np.arange(60) % 2})
    chunked = ts.ChunkedStudy(None, [rows[:30], rows[30:]], target="y", prediction="p", progress=False)
    with pytest.raises(ts.DependentConstraints, match="whatever the weights"):
        chunked.reweight(ts.Variance("bin", scale=0.8))


@pytest.mark.slow
def test_a_sketch_on_file_keeps_where_the_rows_lie(tmp_path):
    chunked = both(*CASES["bins"])[1]
    sketch = chunked.sketch()
    sketch.save(tmp_path / "sketch.npz")
    loaded = ts.StressSketch.load(tmp_path / "sketch.npz")
    pd.testing.assert_frame_equal(loaded.stress_curves(taus=TAUS).frame, sketch.stress_curves(taus=TAUS).frame)
