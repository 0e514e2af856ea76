"""The difference of two models along τ: what is drawn, and where the better one changes in words."""

from functools import cache

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert

import tauscope as ts
from tauscope.data.features import features_by_name
from tauscope.figures.stress.comparison_along import where_better

NAMES = "young", "old"


@cache
def compared():
    """Compare two models, one wrong among the old and one among the young."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(40, 10, 600), "sex": rng.choice(["F", "M"], 600)})
    y = rng.integers(0, 2, 600)
    wrong = [(side * (X["age"].to_numpy() - 40) > 0) & (rng.random(600) < 0.4) for side in (1, -1)]
    pair = (ts.Study.from_predictions(X, y, np.where(each, 1 - y, y)) for each in wrong)
    return ts.compare(*pair, metrics=["error_rate", "accuracy", "portion_1"], names=NAMES)


def drawn(chart):
    """Return the rows of a chart of one metric; Altair puts them on top."""
    spec = chart.to_dict()
    return pd.DataFrame(spec["datasets"][spec["data"]["name"]])


def test_the_numbers_are_those_of_along():
    chart = compared().chart("accuracy", along="age", taus=5)
    expected = compared().along("age", taus=5).query("metric == 'accuracy'")
    for name in ("tau", "target", "first", "second", "difference", "lower", "upper", "ess"):
        assert drawn(chart)[name].tolist() == expected[name].tolist()
    assert drawn(chart)["told"].notna().tolist() == [True, True, False, True, True]
    assert drawn(chart)["solid"].notna().tolist() == (expected["reliability"] == "reliable").tolist()
    assert drawn(chart)["readable_lower"].notna().all()


def test_what_is_better_is_said_and_told_apart_from_what_is_higher():
    spec = compared().chart(along="age", taus=5).to_dict()
    mean = compared().along("age", taus=5).groupby("tau")["target"].first()
    said = f"young is better up to τ = −0.5 (age {mean[-0.5]:.1f} on average); "
    said += f"old is better from τ = 0.5 (age {mean[0.5]:.1f} on average)"
    assert spec["title"]["text"] == "old against young along age"
    assert spec["title"]["subtitle"][:3] == [
        f"error rate: {said}",
        f"accuracy: {said}",
        f"share predicted 1: young is higher at τ = −0.5 (age {mean[-0.5]:.1f} on average)",
    ]
    assert spec["title"]["subtitle"][3] == f"τ moves the mean of age from {mean[-1]:.1f} to {mean[1]:.1f}."
    assert [panel["title"]["subtitle"] for panel in spec["concat"]] == [
        "above 0: young better",
        "above 0: old better",
        "above 0: old higher",
    ]


def row(tau, sign, *, reliability="reliable", metric="error_rate"):
    """Return a row of `along` whose interval lies above 0, below 0 or around it."""
    better = "" if metric == "portion_1" or not sign else NAMES[int(sign < 0)]
    ends = {"lower": sign - 0.5, "upper": sign + 0.5}
    return {"tau": tau, "target": 40 + tau, "metric": metric, "better": better, "reliability": reliability, **ends}


@pytest.mark.parametrize(
    ("signs", "words"),
    [
        ((-1, -1, -1), "old is better at every τ"),
        ((0, 0, 0), "nowhere can they be told apart"),
        ((1, 0, 0), "young is better at τ = −1 (age 39 on average)"),
        ((0, -1, 0), "old is better at τ = 0 (age 40 on average)"),
        ((1, 1, 0), "young is better up to τ = 0 (age 40 on average)"),
        (
            (1, -1, -1),
            "young is better at τ = −1 (age 39 on average); old is better from τ = 0 (age 40 on average)",
        ),
        ((0, 1, 1, 0), "young is better between τ = −0.333 and τ = 0.333 (age 39.7 to 40.3 on average)"),
    ],
)
def test_stretches_in_words(signs, words):
    rows = [row(tau, sign) for tau, sign in zip(np.linspace(-1, 1, len(signs)), signs, strict=True)]
    age = features_by_name(compared()._require_source()._columns)["age"]
    assert where_better(rows, NAMES, age) == words


def test_neither_side_better_shares_and_unreliable_ends_in_words():
    known = features_by_name(compared()._require_source()._columns)
    rows = [row(tau, -1, metric="portion_1") for tau in (-1, 0, 1)]
    assert where_better(rows, NAMES, known["age"]) == "young is higher at every τ"
    rows = [row(-1, 0), {**row(0, -1), "target": 0.5}, {**row(1, -1), "target": 0.75}]
    assert where_better(rows, NAMES, known["sex = F"]) == "old is better from τ = 0 (sex = F for 50 % of rows)"
    rows[2]["reliability"] = "unreliable"
    words = "old is better at τ = 0 (sex = F for 50 % of rows); not judged at τ = 1 (sex = F for 75 % of rows)"
    assert where_better(rows, NAMES, known["sex = F"]) == words


@pytest.mark.parametrize("missing", [{"reliability": "unreliable"}, {"lower": np.nan}, {"upper": np.nan}])
@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_where_the_interval_cannot_be_read_there_is_no_verdict(sign, missing):
    age = features_by_name(compared()._require_source()._columns)["age"]
    rows = [{**row(tau, sign), **missing} for tau in (-1, 0, 1)]
    assert where_better(rows, NAMES, age) == "not judged at every τ"
    rows[0] = row(-1, 0)
    words = "nowhere judged can they be told apart; not judged from τ = 0 (age 40 on average)"
    assert where_better(rows, NAMES, age) == words


def test_unreliable_intervals_are_pale_and_stretch_nothing():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": np.append(rng.normal(size=60), 30.0)})
    y, guess = rng.integers(0, 2, (2, 61))
    pair = (ts.Study.from_predictions(X, y, each) for each in (guess, y))
    chart = ts.compare(*pair, metrics="error_rate", quantile=0.001, names=NAMES).chart(along="age", taus=[0, 0.5, 1])
    rows = drawn(chart)
    assert rows["reliability"].tolist()[-1] == "unreliable"
    assert rows["readable_lower"].isna().tolist() == (rows["reliability"] == "unreliable").tolist()
    low, high = chart.to_dict()["concat"][0]["layer"][0]["encoding"]["y"]["scale"]["domain"]
    readable = rows[rows["reliability"] != "unreliable"]
    assert low == pytest.approx(min(rows["difference"].min(), readable["lower"].min()))
    assert high == pytest.approx(max(0, readable["upper"].max()))


def test_the_same_model_twice_has_a_range_to_be_drawn_on():
    study = compared()._require_source()
    chart = ts.compare(study, study, metrics="portion_1").chart(along="sex = F", taus=3)
    assert "τ moves the share of sex = F from 0 % to 100 %." in chart.to_dict()["title"]["subtitle"]
    assert vl_convert.vegalite_to_svg(chart.to_dict())


def test_on_a_dark_ground_the_lines_are_light():
    with alt.theme.enable("dark"):
        spec = compared().chart("accuracy", along="age", taus=3).to_dict()
    assert {layer["mark"]["color"] for layer in spec["concat"][0]["layer"][1:5]} == {"#6cb6e8"}


def test_a_picture_is_saved(tmp_path):
    compared().save(tmp_path / "along.svg", metrics="accuracy", along="age", taus=3)
    assert "old against young along age" in (tmp_path / "along.svg").read_text()


def test_what_is_refused():
    for options, error, words in (
        ({"along": "agee"}, ts.UnknownName, "Nearest: 'age'"),
        ({"along": 3.5}, ts.InputTypeError, "given by name or position; got 3.5"),
        ({"along": 3}, ts.UnknownName, "numbered 0 to 1; got 3"),
        ({"along": "age", "metrics": "eror_rate"}, ts.UnknownName, "eror_rate"),
        ({"along": "age", "metrics": []}, ts.InputError, "At least one metric"),
        ({"along": "age", "taus": 4}, ts.InputError, "must be odd"),
    ):
        with pytest.raises(error, match=words):
            compared().chart(**options)
