import re
from datetime import date
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from tauscope.results.formatting import share

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=alert(1)></dd>"


class Tags(HTMLParser):
    """The elements of a page, as a browser reads them."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 2)), columns=["age", HOSTILE])
    y = pd.Series(np.where(X["age"] + rng.normal(size=300) > 0, "yes", "no"), name="bought")
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.625)).fit(X, y)
    return ts.Study(model, X, y, progress=False)


def written(study, path, **options):
    study.report(path, **options)
    return path.read_text("utf-8")


def sections(page):
    """Return the text of each section by its head."""
    found = re.findall(r"<section><h2>(.*?)</h2>(.*?)</section>", page, re.S)
    return {plain(head): plain(re.sub(r"<[^>]+>", " ", body)) for head, body in found}


def plain(text):
    return unescape(text).replace("\u2060", "")


@pytest.fixture(scope="module")
def whole(study, tmp_path_factory):
    return written(
        study,
        tmp_path_factory.mktemp("reports") / "r.html",
        scenarios=[ts.Scenario("older", {"age": 0.3})],
        by=study.X["age"] > 1,
        features=["age"],
        row=4,
        author=f"A. Person {HOSTILE}",
        purpose="To see.",
        notes="One line.\nAnother.",
        random_state=11,
    )


def test_it_begins_with_what_the_model_is(study, whole):
    card = sections(whole)["What this is"]
    said = (
        "bought = yes",
        "Pipeline",
        "C=0.625",
        "300",
        "binary",
        study.data_hash,
        date.today().isoformat(),
        "To see.",
    )
    assert [words for words in said if words not in card] == []
    assert re.search(r"Seed\s*11", card)
    assert "One line.\nAnother." in card
    assert re.search(r"tauscope \d", card)
    true = float(np.mean(study.truth == 1))
    assert f"yes: {share(true)} of the rows, {share(float(np.mean(study.predicted == 1)))} predicted" in card


def test_its_numbers_are_those_of_the_verbs(study, whole):
    parts = sections(whole)
    joint = study.joint_stress()
    one = joint.unstressed[joint.metric_names.index("error_rate")]
    assert re.search(
        rf"error rate\s+{share(one.value)}\s+{share(one.lower)} to {share(one.upper)}", parts["What this is"]
    )
    older = study.reweight(ts.Scenario("older", {"age": 0.3}))
    moved = older.metrics.set_index("metric").loc["error_rate"]
    assert f"{share(moved['value'])} ({share(moved['lower'])} to {share(moved['upper'])})" in parts["Scenarios"]
    assert older.ess >= 1
    assert f"effective sample {older.ess:,.0f} of 300" in parts["Scenarios"]
    worst = study.stress_curves().harm().frame.iloc[0]
    assert f"{worst['feature']} {worst['direction']}" in parts["The shifts that harm the error rate most"]
    effect = study.effect("age").frame
    assert share(float(effect["effect"].iloc[0])) in parts["Effect of age"]
    assert repr(study.boundary(4, random_state=11)).splitlines()[0] in parts[study.boundary(4, random_state=11).title]


def test_groups_as_tested_are_those_of_the_subgroup(study, whole):
    of = study.where(study.X["age"] > 1).joint_stress()
    value = of.unstressed[of.metric_names.index("error_rate")].value
    head = next(head for head in sections(whole) if head.startswith("By ") and head.endswith(", as tested"))
    n_rows = int((study.X["age"] > 1).sum())
    assert re.search(rf"True\s+{n_rows}\s+error rate\s+{share(value)}", sections(whole)[head])
    assert head.replace("as tested", "older") in sections(whole)


def test_it_has_no_script_and_text_stays_text(whole):
    assert "<script" not in whole
    assert "script-src 'none'" in whole
    assert HOSTILE not in whole
    assert "onerror" in unescape(whole)
    tags = Tags(whole).found
    assert {"section", "table", "img", "dl"} <= {tag for tag, _ in tags}
    asked = [value for _, given in tags for name, value in given if name in ("src", "href", "onerror", "srcset")]
    assert asked
    assert [value for value in asked if not value.startswith("data:image/")] == []


def test_what_was_not_asked_for_is_not_there(study, tmp_path):
    heads = sections(written(study, tmp_path / "r.html"))
    assert list(heads)[:3] == [
        "What this is",
        "The shifts that harm the error rate most",
        "How it moves with each feature",
    ]
    assert {"Effect of age", f"Effect of {HOSTILE}", "Limits"} <= set(heads)
    assert not [head for head in heads if head.startswith(("By ", "Scenarios", "Boundary", "Rules"))]
    assert not {"Author", "Purpose", "Notes"} & set(
        re.findall("<dt>(.*?)</dt>", (tmp_path / "r.html").read_text("utf-8"))
    )


def test_other_models_have_reports_too(study, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=200), "kind": rng.choice(["x", "y"], 200)})
    y = X["a"] + rng.normal(size=200)
    regression = ts.Study(lambda rows: rows["a"], X, y)
    heads = sections(written(regression, tmp_path / "a.html", row=0, by="kind"))
    assert any(head.startswith("Rules") for head in heads)
    assert not any(head.startswith("Boundary") for head in heads)
    alone = ts.Study.from_predictions(X[["kind"]], y > 0, y > 0.1, sample_weight=np.arange(200) + 1)
    heads = sections(written(alone, tmp_path / "b.html", by="kind"))
    assert not any(head.startswith("Effect") for head in heads)
    assert "200, weighted" in heads["What this is"]
    many = ts.Study.from_predictions(X[["a"]], rng.integers(0, 20, 200), rng.integers(0, 20, 200), task="multiclass")
    assert "and 8 more" in sections(written(many, tmp_path / "c.html"))["What this is"]


def test_what_cannot_be_written_says_so(study, tmp_path):
    with pytest.raises(ts.InputError, match=r"written as \.html.*got '\.pdf'"):
        study.report(tmp_path / "r.pdf")
    with pytest.raises(ts.InputError, match="between 0 and 299; got 300"):
        study.report(tmp_path / "r.html", row=300)
    with pytest.raises(ts.InputTypeError, match="author must be text; got int"):
        study.report(tmp_path / "r.html", author=3)
    with pytest.raises(ts.UnknownName, match="age"):
        study.report(tmp_path / "r.html", features=["agee"])
    alone = ts.Study.from_predictions(study.X[["age"]], study.y, study.y)
    with pytest.raises(ts.InputError, match="model"):
        alone.report(tmp_path / "r.html", row=0)
    assert not list(tmp_path.iterdir())


def test_one_feature_is_named_as_several(study, tmp_path):
    for features in ("age", ["age"]):
        study.report(tmp_path / f"{len(features)}.html", features=features)
    one, several = ((tmp_path / f"{n}.html").read_text("utf-8") for n in (3, 1))
    assert sections(one) == sections(several)
