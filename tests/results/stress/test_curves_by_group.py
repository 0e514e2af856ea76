"""Curves by group as a person meets them: tables, words, charts, and what is refused."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from tauscope.results.stress.by_group import MARGINAL, OF_GAPS
from tauscope.results.stress.curves_by_group import WITHIN

METRICS = ["error_rate", "portion_1"]


@cache
def study():
    random = np.random.default_rng(1)
    sex = random.choice(["F", "M"], 1200, p=[0.4, 0.6])
    age = random.normal(40, 10, 1200) + 3 * (sex == "M")
    X = pd.DataFrame({"age": age, "sex": sex, "job": random.choice(["a", "b", None], 1200)})
    score = 1 / (1 + np.exp(-(age - 45) / 8))
    truth = (random.random(1200) < 1 / (1 + np.exp(-(age - 45) / 8 + 0.7 * (sex == "F")))) * 1
    return ts.Study.from_predictions(X, truth, (score > 0.5) * 1, y_score=score)


@cache
def curves():
    return study().stress_curves(["age", "sex"], taus=5, metrics=METRICS, progress=False)


@pytest.mark.parametrize("by", ["sex", ["sex", "job"], "mask"])
def test_at_every_tau_it_is_the_reweighting_by_group(by):
    by = (study().X["age"] > 40).rename("old") if by == "mask" else by
    found = curves().by(by)
    frame, gaps = found.frame, found.gaps
    moved = study().reweight(ts.Mean("age", tau=0.5), metrics=METRICS).by(by)
    here = frame[(frame["feature"] == "age") & (frame["tau"] == 0.5)].reset_index(drop=True)
    columns = ["group", "metric", "value", "lower", "upper", "reliability", "share", "ess"]
    pd.testing.assert_frame_equal(here[columns], moved.frame[columns], rtol=1e-9)
    here = gaps[(gaps["feature"] == "age") & (gaps["tau"] == 0.5)].drop(columns=["feature", "tau"])
    pd.testing.assert_frame_equal(here.reset_index(drop=True), moved.gaps, rtol=1e-9)
    assert found.grouped_by == moved.grouped_by
    assert found.groups == tuple(group.label for group in moved.groups)


@pytest.mark.parametrize("task", ["binary", "regression"])
@pytest.mark.parametrize(("column", "weighted"), [("age", False), ("few", False), ("rare", False), ("age", True)])
def test_at_every_tau_it_is_the_reweighting_by_group_where_values_are_missing(task, column, weighted):
    """One of the groups lacks more of them; ends of τ are quantiles, extremes, and the odds of a rare value.

    Of weighted rows the share of rows with a value and the target vary together, which sums leave out.
    """
    random, old = np.random.default_rng(2), study().X["age"].to_numpy()
    sex = study().X["sex"].to_numpy()
    columns = {"age": old, "few": random.integers(0, 3, 1200) * 1.0, "rare": (random.random(1200) < 0.1) * 1.0}
    values = np.where(random.random(1200) < np.where(sex == "F", 0.3, 0.1), np.nan, columns[column])
    truth, answer = old + random.normal(0, 3 + 3 * (sex == "F")), old + 0.1 * (old - 40)
    options = {}
    if task == "binary":
        truth, answer, options = (truth > 45) * 1, (answer > 45) * 1, {"y_score": 1 / (1 + np.exp((45 - answer) / 5))}
    options["sample_weight"] = random.exponential(size=1200) if weighted else None
    asked = ts.Study.from_predictions(pd.DataFrame({column: values, "sex": sex}), truth, answer, **options)
    near = {"rtol": 3e-3, "atol": 3e-3} if weighted else {"rtol": 1e-7, "atol": 1e-8}
    metrics = ["error_rate", "portion_1", "log_loss"] if task == "binary" else ["rmse", "bias", "mean"]
    curves = asked.stress_curves(column, taus=[-1, -0.6, 0, 0.4, 1], metrics=metrics, progress=False)
    found = curves.by("sex")
    for tau in curves.taus:
        moved = asked.reweight(ts.Mean(column, tau=tau), metrics=metrics)
        for table, want, names in (
            (curves.frame, moved.metrics, ["value", "lower", "upper"]),
            (found.frame, moved.by("sex").frame, ["value", "lower", "upper", "share", "ess"]),
            (found.gaps, moved.by("sex").gaps, ["gap", "gap_lower", "gap_upper", "ratio_lower", "ratio_upper"]),
        ):
            here = table[table["tau"] == tau].reset_index(drop=True)
            pd.testing.assert_frame_equal(here[names], want[names], **near)


def test_within_groups_each_moves_by_itself():
    found = curves().by("sex", within=True)
    assert found.shift == "within"
    assert found.notes == (
        WITHIN,
        "sex = F: one value in the group F, which cannot be moved.",
        "sex = F: one value in the group M, which cannot be moved.",
        *(f"sex = M: one value in the group {group}, which cannot be moved." for group in "FM"),
        OF_GAPS,
    )
    women = study().where(study().X["sex"] == "F").stress_curves("age", taus=5, metrics=METRICS, progress=False).frame
    mine = found.frame.query("feature == 'age' and group == 'F'").reset_index(drop=True)
    columns = ["tau", "target", "metric", "value", "lower", "upper", "reliability", "ess"]
    pd.testing.assert_frame_equal(mine[columns], women[columns], rtol=1e-7)
    assert found.frame.query("feature == 'sex = F'")["value"].isna().all()
    assert found.gaps.query("feature == 'sex = F'")["worst"].eq("").all()
    assert "each group moved by itself" in found.title
    assert curves().by("sex").notes == (MARGINAL, OF_GAPS)
    assert curves().by(np.ones(1200)).notes == (MARGINAL,)


def test_it_says_what_it_found():
    words = repr(curves().by("sex"))
    assert words.splitlines()[0] == "Stress curves of predictions by sex"
    assert "F" in words
    assert "pt (" in words
    assert curves().by("sex")._document()["groups"][0] == {"label": "F", "n_rows": int((study().X["sex"] == "F").sum())}


def test_two_groups_share_a_panel_and_more_have_one_each():
    two, more = curves().by("sex").chart().to_dict(), curves().by(["sex", "job"]).chart("error_rate", "age").to_dict()
    assert len(two["concat"]) == 2
    assert len(more["concat"]) == 7
    assert "sex" not in two["title"]["subtitle"][0]
    with pytest.raises(ts.UnknownName, match="agee"):
        curves().by("sex").chart(feature="agee")
    with pytest.raises(ts.UnknownName, match="error_rat"):
        curves().by("sex").chart(metric="error_rat")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hold": "means"}, "hold nothing; got curves of hold='means'"),
        ({"interval": "bootstrap-t", "random_state": 0}, "got curves of interval='bootstrap-t'"),
        ({"metrics": ["roc_auc"]}, "'roc_auc' takes them all at once"),
        ({"metrics": ["matthews_corrcoef"]}, "A curve by group follows the task's own metrics"),
    ],
)
def test_what_has_no_curves_by_group_is_refused(options, words):
    asked = study().stress_curves("age", taus=3, progress=False, **options)
    with pytest.raises(ts.InputError, match=words):
        asked.by("sex")


@pytest.mark.parametrize("kept", [0, 1])
def test_a_group_of_weight_zero_has_no_curve(kept):
    X = pd.DataFrame({"a": [1.0, 2, 3, 4, 5], "g": list("uuvvv")})
    weight = [0, kept, 1, 1, 1]
    few = ts.Study.from_predictions(X, None, [0, 1, 1, 0, 1], sample_weight=weight, classes=(0, 1))
    frame = few.stress_curves("a", taus=[0, 1]).by("g").frame
    of_group = frame.loc[frame["group"].astype(str) == "u"]
    assert of_group["value"].isna().all() == (not kept)
