"""Bars of shifts: the trait is the stress that others share, and answers with the numbers of the row."""

import numpy as np
import pandas as pd
import pytest
import traitlets

import tauscope as ts
from tauscope.results.stress.harm import StressHarm

WIDGET = "application/vnd.jupyter.widget-view+json"
N = 800


@pytest.fixture(scope="module")
def study() -> ts.Study:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "age": rng.normal(40, 10, N),
            "pay": rng.lognormal(8, 1, N),
            "signed": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 999, N), unit="D"),
            "country": np.where(np.arange(N) < 5, "Ireland", rng.choice(["France", "Spain"], N)),
        }
    )
    wrong = rng.random(N) < 1 / (1 + np.exp(2 - (X["age"] - 40) / 10))
    y = rng.integers(0, 2, N)
    return ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y))


@pytest.fixture(scope="module")
def harm(study) -> StressHarm:
    return study.stress_curves().harm("error_rate")


@pytest.fixture
def view(harm):
    made = harm.widget()
    yield made
    made.close()


def stress_of(view, shift):
    return {"taus": {shift["feature"]: shift["tau"]}, "hold": view.message["hold"]}


def test_the_message_is_the_table(view, harm):
    frame = harm.frame
    assert [one["feature"] for one in view.message["shifts"]] == frame["feature"].tolist()
    for name in ("change", "lower", "upper", "value", "target", "tau", "ess"):
        written = [np.nan if one[name] is None else one[name] for one in view.message["shifts"]]
        np.testing.assert_array_equal(written, frame[name])
    assert view.message["size"] == "10 % of the weight moved by each, 800 rows"
    assert view.message["before"] == harm.shifts[0].before
    units = {one["feature"]: one["unit"] for one in view.message["shifts"]}
    assert (units["signed"], units["age"], units["country = France"]) == ("year", "", "")
    away = view.message["shifts"][-1]
    assert (away["reliability"], away["change"]) == ("out of reach", None)


@pytest.mark.slow
def test_the_stress_of_a_bar_is_answered_with_the_numbers_of_its_row(study, view):
    """Its change is paired, so that its interval is narrower than that of the metric alone."""
    within = [one for one in view.message["shifts"] if one["reliability"] != "out of reach"]
    assert {one["kind"] for one in within} == {"numeric", "share"}
    joint = study.joint_stress()
    for shift in within:
        column, _, level = shift["feature"].partition(" = ")
        term = ts.Share(column, level, tau=shift["tau"]) if level else ts.Mean(column, tau=shift["tau"])
        for found in (study.reweight(term), joint.at(**stress_of(view, shift))):
            metric = found.metrics.set_index("metric").loc["error_rate"]
            assert metric["value"] == pytest.approx(shift["value"], abs=1e-8)
            assert shift["upper"] - shift["lower"] < metric["upper"] - metric["lower"]
            assert found.tv == pytest.approx(0.1, abs=1e-8)
            assert found.ess == pytest.approx(shift["ess"], rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("hold", ["means", "uncorrelated"])
def test_a_bar_holds_what_the_curves_held(study, hold):
    two = ts.Study.from_predictions(study.X[["age", "pay"]], study.y, study._outcomes.predicted)
    view = two.stress_curves(hold=hold, taus=3).harm("error_rate").widget()
    assert view.message["hold"] == hold
    joint = two.joint_stress()
    for shift in view.message["shifts"]:
        found = joint.at(**stress_of(view, shift))
        value = found.metrics.set_index("metric").loc["error_rate", "value"]
        assert value == pytest.approx(shift["value"], abs=1e-9)
    view.close()


def test_first_values(view, harm):
    assert view.stress == {"taus": {}, "hold": "none"}
    chosen = harm.widget(stress=stress_of(view, view.message["shifts"][0]))
    assert chosen.stress == stress_of(view, view.message["shifts"][0])
    chosen.close()


@pytest.mark.parametrize(
    ("argument", "words"), [({"strss": {}}, "Nearest: 'stress'"), ({"stress": {"taus": {"age": 2}}}, r"in \[-1, 1\]")]
)
def test_bad_values_are_refused(harm, argument, words):
    with pytest.raises(traitlets.TraitError, match=words):
        harm.widget(**argument)


def test_it_links_with_other_views(study, view):
    other = study.joint_stress().widget()
    link = ts.link(view, other)
    assert link.traits == ("stress",)
    link.unlink()
    other.close()


def test_shown_as_a_widget_with_text_table_and_picture_beside_it(harm, view):
    data, _ = view._repr_mimebundle_()
    assert WIDGET in data
    assert data["text/plain"] == repr(harm)
    assert "<table>" in data["text/html"]
    assert data["image/svg+xml"].startswith("<svg ")
    assert WIDGET in harm._repr_mimebundle_()[0]


def test_saved_as_a_page(harm, tmp_path):
    harm.save(tmp_path / "h.html")
    page = (tmp_path / "h.html").read_text("utf-8")
    assert "ts-stress-harm" in page
    assert "Shifts that harm the error rate of predictions most" in page


def test_no_features_within_reach(study):
    view = study.stress_curves(["age"]).harm("error_rate", distance=0.9).widget()
    assert {one["reliability"] for one in view.message["shifts"]} == {"out of reach"}
    view.close()
