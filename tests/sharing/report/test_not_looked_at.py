import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from sharing.report.pages import text_of
from tauscope.results.formatting import share
from tauscope.sharing.report.audit import Audit, ReportOptions
from tauscope.sharing.report.not_looked_at import not_looked_at
from tauscope.sharing.report.report import answers
from tauscope.sharing.report.section import Section


def made(truth=True, model=True, score=True):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({
        "age": rng.normal(size=120), "sex": rng.choice(["f", "m"], 120), "place": rng.choice(["n", "s"], 120),
        "flat": np.ones(120),
    })  # fmt: skip
    y = (X["age"] + rng.normal(size=120) > 0) if truth else None
    if model:
        return ts.Study(lambda rows: 1 / (1 + np.exp(-rows["age"].to_numpy())), X, y, progress=False)
    given = 1 / (1 + np.exp(-X["age"])) if score else None
    return ts.Study.from_predictions(X, y, X["age"] > 0, given)


def said(study, answered=(), **options):
    section = not_looked_at(Audit(study, ReportOptions(**options)), answered)
    lines = text_of(section.body.replace("</ul>", "").replace("</li>", "\n")).splitlines()
    assert section.answer.startswith(f"{len(lines)} thing")
    return [line.strip() for line in lines]


def about(lines, head):
    return next((line for line in lines if line.startswith(f"{head}: ")), None)


def test_what_was_not_asked_is_named():
    lines = said(made())
    for words in ("scenarios=", "towards=", "beside=", "by=", "row="):
        assert sum(f"({words})" in line for line in lines) == 1
    assert about(lines, "Features not stressed") == "Features not stressed: flat (every observed value is 1)."
    assert about(lines, "Single decisions") == "Single decisions: none of the 120 rows was explained (row=)."
    assert about(lines, "Several features moved at once")
    assert about(lines, "Others held")
    assert about(lines, "Errors") is None


def test_why_there_is_no_calibration_is_said():
    X = made().X
    labels = np.arange(len(X)) % 3
    many = ts.Study.from_predictions(X, labels, labels[::-1])
    assert "target_class=" in about(said(many), "Calibration")
    assert "no worse when higher or lower" not in " ".join(said(many))
    bare = ts.Study.from_predictions(X, labels > 0, labels[::-1] > 0)
    assert about(said(bare), "Calibration") == "Calibration: without probabilities there is nothing to compare."
    untold = ts.Study.from_predictions(X, None, labels > 0, labels / 3)
    assert about(said(untold), "Calibration") == "Calibration: without the truth there is nothing to compare."
    assert "no worse when higher or lower" in about(said(untold), "The worst case")
    looked = Section("?", ".", looked_at={"calibration": ("1",)})
    assert about(said(bare, [looked]), "Calibration") is None


def test_what_was_asked_is_not():
    study = made()
    both = ts.Scenario("both", {"age": 0.2, "sex = f": 0.2}, hold="means")
    looked = Section(
        "?", ".", looked_at={"stressed together": ("age", "sex = f"), "groups": ("sex",), "effects": ("age",)}
    )
    options = {"scenarios": [both], "by": "sex", "row": 3, "beside": object(), "towards": object()}
    lines = said(study, [looked], **options)
    assert not [line for line in lines if "=)" in line]
    assert about(lines, "Several features moved at once") is None
    assert about(lines, "Others held") is None
    assert about(lines, "Groups by place") == "Groups by place: not compared."
    assert "119 of the 120 rows were not explained, only row 3" in about(lines, "Single decisions")
    assert "Effects of 3 of 4 features: sex, place, flat." in lines


@pytest.mark.slow
def test_it_follows_what_the_sections_looked_at():
    found = answers(Audit(made(), ReportOptions(features=("age", "sex"), by="place")))
    lines = text_of(found[-2].body)
    assert found[-2].question == "What was not looked at?"
    assert "Effects of 2 of 4 features: place, flat." in lines
    assert "Groups by sex: not compared." in lines


def test_what_the_study_lacks_is_named():
    lines = said(made(truth=False, model=False, score=False))
    assert "truth is not known" in about(lines, "Errors")
    assert "without the truth there is" in about(lines, "Other thresholds")
    assert about(lines, "The model itself")
    assert about(lines, "Single decisions") is None
    assert "without scores there is" in about(said(made(model=False, score=False)), "Other thresholds")
    assert about(said(made(model=False)), "Other thresholds") is None
    ranges = ts.Study.from_ranges(lambda X: X["a"] > 0, {"a": (-1, 1)}, n=50, random_state=1, progress=False)
    assert about(said(ranges), "Data")


def test_points_that_are_not_reliable_are_counted():
    study = made()
    frame = study.stress_curves().frame
    line = about(said(study), "Populations beyond the rows")
    assert f"of the {len(frame):,} points" in line
    assert share(float((frame["reliability"] != "reliable").mean())) in line


@pytest.mark.parametrize("n", [3, 40])
def test_many_names_are_cut(n):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, n)), columns=[f"f{k}" for k in range(n)])
    study = ts.Study(lambda rows: rows["f0"] > 0, X, X["f0"] > 0, progress=False)
    line = next(line for line in said(study) if line.startswith(f"Effects of {n} of {n} features"))
    assert line.endswith("f0, f1, f2." if n == 3 else "f11, and 28 more.")
