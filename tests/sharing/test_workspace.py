import json
import re
from datetime import date

import numpy as np
import pandas as pd
import pytest
import traitlets
from ipywidgets.widgets.widget import _instances
from sklearn.linear_model import LinearRegression, LogisticRegression

import tauscope as ts

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)), columns=["age", "<b>hours</b>"])
    y = X["age"] + rng.normal(size=200) > 0
    return ts.Study(LogisticRegression().fit(X, y), X, y)


@pytest.fixture(scope="module")
def saved(study, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "audit.html"
    study.save(path, row=7, stress={"taus": {"age": 0.3}, "hold": "none"})
    return path.read_text("utf-8")


def state_of(page):
    return json.loads(re.search(r'id="state">(.*?)</script>', page, re.S)[1])


def test_the_page_has_what_can_be_computed_beforehand(saved):
    traits = state_of(saved)["traits"]
    assert set(traits["opened"]) == {"curves", "joint", "effect", "boundary", "rules"}
    assert [view["name"] for view in traits["message"]["views"]] == ["curves", "metrics", "effect", "boundary", "rules"]
    assert traits["row"] == traits["rules__answer"]["row"] == 7
    assert traits["stress"] == {"taus": {"age": 0.3}, "hold": "none"}
    assert not traits["effect__message"]["live"]


def test_it_says_what_it_is_of(study, saved):
    said = re.search(r'<section class="about">(.*?)</section>', saved)[1]
    assert "All 200 are embedded." in said
    assert "the curves of every feature, the effect of age, the boundary of row 7, the rules of row 7" in said
    assert study.data_hash in said
    assert re.search(r"tauscope \d", said)
    assert date.today().isoformat() in said
    assert "No kernel, no network" in said
    assert "A sample" not in saved


def test_it_asks_nobody_and_text_stays_text(saved):
    without = re.sub(r"<script.*?</script>", "", saved, flags=re.S)
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", without)
    assert "<b>hours" not in without


def test_views_can_be_chosen(study, tmp_path):
    study.save(tmp_path / "a.html", views="Rows")  # as its tab has it, or by name: "table"
    traits = state_of((tmp_path / "a.html").read_text("utf-8"))["traits"]
    assert set(traits["opened"]) == {"curves", "joint", "table"}
    study.save(tmp_path / "b.html", views=(), view="curves")
    assert "the effect of" not in (tmp_path / "b.html").read_text("utf-8")


def test_rows_are_pooled_where_that_is_asked_for(study, tmp_path):
    selection = [3, 5, 8, 13]
    stress = {"taus": {"age": 0.3}, "hold": "none"}
    study.save(tmp_path / "a.html", views=["boundary", "pooled"], view="pooled", selection=selection, stress=stress)
    text = (tmp_path / "a.html").read_text("utf-8")
    state = state_of(text)
    traits = state["traits"]
    assert (traits["pooled__message"]["n_chosen"], traits["pooled__message"]["live"]) == (4, False)
    assert "no kernel" in traits["pooled__message"]["offline"]
    assert "the boundary of row" in text
    assert "the pooled boundary of 4 of 200 rows" in text
    assert text.count("the nearest point found where the model decides otherwise") == 1
    assert "joint__columns" in state["buffers"]
    assert "pooled__columns" not in state["buffers"]


def test_what_cannot_be_saved_says_so(study, tmp_path):
    with pytest.raises(ts.InputError, match=r"saved as \.html; got '\.png'"):
        study.save(tmp_path / "a.png")
    with pytest.raises(ts.UnknownName, match=r"There is no view 'rulez'\. Nearest: 'rules'"):
        study.save(tmp_path / "a.html", views=["rulez"])
    with pytest.raises(ts.UnknownName, match="Nearest: 'Rows'"):
        study.save(tmp_path / "a.html", views=["rows"])
    with pytest.raises(traitlets.TraitError, match="effect"):
        study.save(tmp_path / "a.html", views=["rules"], view="effect")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 2)), columns=["a", "b"])
    regression = ts.Study(LinearRegression().fit(X, X["a"] + X["b"] ** 2), X, X["a"])
    with pytest.raises(ts.InputError, match="boundary cannot be shown"):
        regression.save(tmp_path / "a.html", views=["boundary"])
    assert not list(tmp_path.iterdir())
    regression.save(tmp_path / "a.html")
    assert set(state_of((tmp_path / "a.html").read_text("utf-8"))["traits"]["opened"]) >= {"effect", "rules"}


def test_nothing_stays_open(study, tmp_path):
    before = set(_instances)
    study.save(tmp_path / "a.html", views=())
    assert set(_instances) == before
