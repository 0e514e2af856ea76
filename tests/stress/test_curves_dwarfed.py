"""Curves, reweightings and surfaces of columns that a few values dwarf, against decimals of fifty digits."""

import warnings

import numpy as np
import pytest

import tauscope as ts
from stress.dwarfed import dwarfed_columns, tilted_shares

TAUS = (-1.0, -0.4, 0.7, 1.0)
COLUMNS = dwarfed_columns()


def study(columns, **options):
    x = np.column_stack(list(columns.values()))
    predicted = (x[:, 0] < np.median(x[:, 0])).astype(int)
    names = list(columns)
    return ts.Study.from_predictions(x, np.arange(len(x)) % 2, predicted, feature_names=names, **options)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", COLUMNS)
def test_curves_and_reweighting_of_a_dwarfed_column(name, weighted):
    values = COLUMNS[name]
    base = np.random.default_rng(1).uniform(0.2, 2, size=len(values)) if weighted else None
    made = study({name: values}, sample_weight=base)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = made.stress_curves(taus=TAUS).frame.query("metric == 'portion_1'").set_index("tau")
        for tau in TAUS:
            row = frame.loc[tau]
            if not values.min() < row.target < values.max():
                continue
            shares = tilted_shares(values, row.target, base)
            ess, portion = 1 / np.sum(shares**2), shares @ made.predicted
            assert row.ess == pytest.approx(ess, rel=1e-7)
            assert row.value == pytest.approx(portion, abs=1e-8)
            answer = made.reweight(ts.Mean(name, tau=tau))
            assert answer.status == "solved"
            np.testing.assert_allclose(answer.weights, shares * len(values), rtol=1e-4, atol=1e-8)


@pytest.mark.slow
def test_a_hundred_thousand_rows_with_one_code_for_missing_values():
    rng = np.random.default_rng(0)
    values = np.append(2.0**63 - 1, rng.normal(size=100_000))
    made = study({"v": values})
    row = made.stress_curves(taus=[-1]).frame.query("metric == 'portion_1' and tau == -1").iloc[0]
    clean = study({"v": values[1:]})
    alike = clean.stress_curves(taus=[-1]).frame.query("metric == 'portion_1' and tau == -1").iloc[0]
    assert row.ess == pytest.approx(alike.ess, rel=1e-3)  # the row far off takes no part; q(.05) is a row's place away
    assert row.value == pytest.approx(alike.value, abs=1e-3)
    assert "minimum" not in row.note


@pytest.mark.slow
def test_the_values_far_off_are_named():
    made = study({"v": COLUMNS["int64"], "a": COLUMNS["ordinary"]})
    words = "v: 1 row holds 9.22e+18, far off all others: a code for missing values?"
    assert words in made.stress_curves(taus=3).notes
    assert words in made.stress_surface("v", "a", taus=3).notes
    assert words in made.reweight(ts.Mean("v", tau=-1)).notes
    assert words in made.joint_stress().notes
    assert not [note for note in study({"a": COLUMNS["ordinary"]}).stress_curves(taus=3).notes if "far off" in note]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [("int64", "ordinary"), ("heavy", "ordinary"), ("int64", "float")])
def test_a_surface_of_dwarfed_columns_is_the_joint_stress_of_each_cell(columns):
    made = study({columns[0]: COLUMNS[columns[0]], columns[1]: COLUMNS[columns[1]][::-1]})
    first, second = columns
    frame = made.stress_surface(first, second, taus=[-1, -0.4, 0.7]).frame.query("metric == 'portion_1'")
    for row in frame.itertuples():
        if row.status == "infeasible":
            with pytest.raises(ts.InfeasibleTarget):
                made.reweight(ts.Mean(first, tau=row.tau_1) & ts.Mean(second, tau=row.tau_2))
            continue
        answer = made.reweight(ts.Mean(first, tau=row.tau_1) & ts.Mean(second, tau=row.tau_2))
        assert answer.residual < 1e-8
        assert row.ess == pytest.approx(answer.ess, rel=1e-6)


@pytest.mark.slow
def test_adjusted_curves_meet_the_means():
    made = study({name: COLUMNS[name] for name in ("ordinary", "int64")})
    row = made.stress_curves("int64", taus=[-0.5], hold="means").frame.query("tau == -0.5").iloc[0]
    answer = made.reweight(ts.Mean("int64", tau=-0.5) & ts.Mean("ordinary", tau=0))
    assert row.ess == pytest.approx(answer.ess, rel=1e-6)


def test_the_variance_of_a_column_of_two_values_half_and_half_is_refused():
    x = np.arange(60) % 2
    made = ts.Study.from_predictions(x[:, None], x, x, feature_names=["bin"])
    with pytest.raises(ts.DependentConstraints, match=r"0\.25 whatever the weights"):
        made.reweight(ts.Variance("bin", scale=0.8))
    with pytest.raises(ts.DependentConstraints):
        made.reweight(ts.Mean("bin", target=0.5) & ts.Variance("bin", target=0.2))
