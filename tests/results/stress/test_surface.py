import json

import numpy as np
import pandas as pd
import pytest

from tauscope.errors import DependentConstraints, InputError, UnknownName
from tauscope.results.stress.surface import COLUMNS
from tauscope.stress.joint.constraints import Mean
from tauscope.study.study import Study

HOSTILE = "</script><b>gain</b>"


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    n = 600
    X = pd.DataFrame(
        {
            "age": np.round(rng.gamma(8, 5, n) + 17),
            "hours": np.round(40 + 10 * rng.normal(size=n)),
            HOSTILE: np.where(rng.random(n) < 0.03, rng.exponential(5000, n), 0),
            "sex": rng.choice(["F", "M"], n),
            "constant": 3.0,
        }
    )
    score = 1 / (1 + np.exp(-((X["age"] - 50) / 20 + (X["hours"] - 40) / 15)))
    return Study.from_predictions(X, (rng.random(n) < score).astype(int), (score > 0.5).astype(int), score)


@pytest.fixture(scope="module")
def surface(study):
    return study.stress_surface("age", HOSTILE, taus=5)


def test_frame_has_one_row_per_cell_and_metric(surface):
    frame = surface.frame
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == 25 * len(surface.metric_names)
    one = frame[(frame["tau_1"] == 0.5) & (frame["tau_2"] == 0) & (frame["metric"] == "error_rate")].iloc[0]
    assert one["value"] == surface._surface.value[surface._metric_place("error_rate"), 3, 2]
    assert one["target_1"] == surface._surface.target[0, 3]
    assert one["ess"] == surface._surface.ess[3, 2]
    frame["value"] = 0.0
    assert surface.frame["value"].to_numpy().any()


def test_a_cell_is_the_reweighting_onto_both_means(study):
    surface = study.stress_surface("age", "hours", taus=5, metrics="portion_1")
    r = study.reweight(Mean("age", tau=0.5) & Mean("hours", tau=-1))
    cell = surface.frame[(surface.frame["tau_1"] == 0.5) & (surface.frame["tau_2"] == -1)].iloc[0]
    expected = r.metrics.set_index("metric").loc["portion_1"]
    for name in ("value", "lower", "upper"):
        assert cell[name] == pytest.approx(expected[name], abs=1e-9)
    for name in ("ess", "kl", "tv", "pareto_k"):
        assert cell[name] == pytest.approx(getattr(r, name), rel=1e-9)


def test_weights_and_subgroups_carry_over(study):
    stressed = study.under(Mean("age", tau=0.5)).where(study.X["sex"] == "F")
    surface = stressed.stress_surface("age", "hours", taus=3, quantile=0.1, confidence=0.8)
    assert surface.n_rows == stressed.n_rows
    assert surface.quantile == 0.1
    assert surface.confidence == 0.8
    zero = surface._surface.mean[0]
    assert zero == pytest.approx(np.average(stressed.X["age"], weights=stressed.sample_weight))


def test_notes_say_what_tau_stands_for_and_where_to_doubt(surface):
    text = " ".join(surface.notes)
    assert "τ = −1 is the minimum" in text
    assert "of 25 cells" in text
    notes = surface.frame["note"]
    assert notes.str.contains("only some rows keep weight").any()
    assert notes[(surface.frame["tau_1"] == 0) & (surface.frame["tau_2"] == 0)].eq("").all()
    assert surface.title.endswith(f"age and {HOSTILE}")
    assert "as tested" in repr(surface)


def test_infeasible_cells_say_so(study):
    X = study.X.assign(size=np.array(["s", "m", "l"])[np.arange(study.n_rows) % 3])
    other = Study.from_predictions(X, study._true_values, study.predicted)
    surface = other.stress_surface("size = s", "size = m", taus=5)
    beyond = surface.frame[surface.frame["status"] == "infeasible"]
    assert len(beyond)
    assert beyond["value"].isna().all()
    assert beyond["note"].str.contains("these rows cannot be weighted so that both means are met").all()
    assert "infeasible" in repr(surface)


@pytest.mark.parametrize(
    ("pair", "error", "words"),
    [
        (("age", "age"), InputError, "two different features; got 'age' twice"),
        (("age", "constant"), InputError, "'constant' cannot: every observed value is 3"),
        (("sex", "age"), InputError, "'sex' stands for several: 'sex = F', 'sex = M'"),
        (("sex = F", "sex = M"), DependentConstraints, "'sex = F' is a linear function of 'sex = M'"),
        (("agee", "hours"), UnknownName, "Nearest: 'age'"),
    ],
)
def test_pairs_that_make_no_surface(study, pair, error, words):
    with pytest.raises(error, match=words):
        study.stress_surface(*pair)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"taus": 4}, "odd"),
        ({"quantile": 0.7}, "quantile"),
        ({"confidence": 95}, "Try 0.95"),
        ({"metrics": "jaccard"}, "got 'jaccard'"),
        ({"metrics": "eror_rate"}, "error_rate"),
    ],
)
def test_options_out_of_range(study, option, words):
    with pytest.raises((InputError, UnknownName), match=words):
        study.stress_surface("age", "hours", **option)


def test_chart(surface):
    spec = surface.chart("error_rate").to_dict()
    assert spec["title"]["text"].replace("\u2060", "") == surface.title
    layers = [layer["data"]["name"] for layer in spec["layer"]]
    assert [len(spec["datasets"][name]) for name in layers] == [25, 25, 25, 1, 1]
    color = spec["layer"][1]["encoding"]["color"]
    assert color["legend"]["title"] == "error rate"
    with pytest.raises(UnknownName, match="error_rate"):
        surface.chart("errorrate")


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["html", "csv", "json", "svg"])
def test_save(surface, tmp_path, ending):
    path = tmp_path / f"surface.{ending}"
    surface.save(path)
    text = path.read_text("utf-8")
    match ending:
        case "html":
            assert "connect-src" in text or "default-src 'none'" in text
            assert "<b>gain</b>" not in text.replace("&lt;b&gt;gain&lt;/b&gt;", "")
        case "csv":
            assert text.startswith("tau_1,tau_2")
        case "json":
            document = json.loads(text)["summary"]
            assert document["schema"] == "tauscope.stress_surface"
            assert len(document["records"]) == len(surface.frame)
        case "svg":
            assert text.startswith("<svg")
    with pytest.raises(InputError, match=r"one of \.html"):
        surface.save(tmp_path / "surface.xlsx")
