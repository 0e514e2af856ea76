import numpy as np
import pandas as pd
import pytest

from tauscope.errors import InputError, UnknownName
from tauscope.stress.joint.constraints import Mean, Share
from tauscope.study.study import Study


@pytest.fixture(scope="module")
def result():
    rng = np.random.default_rng(0)
    n = 400
    X = pd.DataFrame({"age": rng.integers(18, 80, n), "sex": rng.choice(["F", "M"], n), "pay": rng.normal(size=n)})
    study = Study.from_predictions(X, rng.integers(0, 2, n), rng.integers(0, 2, n))
    return study.reweight(Mean("age", tau=0.5) & Share("sex", "F", 0.7))


def data(spec, layer, panel=None):
    """Altair puts data that all layers share on their panel."""
    return spec["datasets"][(layer if "data" in layer else panel)["data"]["name"]]


def test_love_plot_shows_every_standardised_difference(result):
    spec = result.chart().to_dict()
    shown = {record["feature"]: record["smd"] for record in data(spec, spec["layer"][3])}
    assert shown == pytest.approx(dict(zip(result.balance["feature"], result.balance["smd"], strict=True)))
    assert spec["layer"][3]["encoding"]["y"]["scale"]["domain"] == result.balance["feature"].tolist()
    assert result.population in spec["title"]["subtitle"]
    assert [line["at"] for line in data(spec, spec["layer"][1])] == [-0.1, 0.1]


def test_love_plot_of_some_features(result):
    spec = result.chart("balance", "pay").to_dict()
    assert [record["feature"] for record in data(spec, spec["layer"][3])] == ["pay"]


def test_histograms_of_what_was_moved(result):
    spec = result.chart("histograms").to_dict()
    age, sex = spec["concat"]
    assert [panel["title"] for panel in (age, sex)] == ["age", "sex = F"]
    for panel in (age, sex):
        records = data(spec, panel["layer"][0], panel)
        for side in ("before", "after"):
            assert sum(record[side] for record in records) == pytest.approx(1)
    assert data(spec, sex["layer"][0], sex)[1]["after"] == pytest.approx(0.7)
    centres = [(record["from"] + record["to"]) / 2 for record in data(spec, age["layer"][0], age)]
    moved = sum(c * (r["after"] - r["before"]) for c, r in zip(centres, data(spec, age["layer"][0], age), strict=True))
    assert moved > 0
    assert len(result.chart("histograms", ["pay", "age"]).to_dict()["concat"]) == 2


def test_an_open_bar_says_so_and_has_the_area_of_its_share():
    rng = np.random.default_rng(1)
    pay = np.append(rng.normal(size=2000), [40.0])
    study = Study.from_predictions(pd.DataFrame({"pay": pay}), (pay > 0).astype(int), (pay > 0.1).astype(int))
    spec = study.reweight(Mean("pay", tau=0.5)).chart("histograms").to_dict()
    records = spec["datasets"][spec["data"]["name"]]
    first, *middle, last = records
    assert first["bar"].startswith("under ")
    assert last["bar"].endswith(" and over")
    assert [record["open"] for record in records] == [True, *[False] * len(middle), True]
    assert last["to"] - last["from"] > 2 * (middle[0]["to"] - middle[0]["from"])
    width = middle[0]["to"] - middle[0]["from"]
    for side in ("before", "after"):
        areas = [record[f"height_{side}"] * (record["to"] - record["from"]) for record in records]
        assert sum(areas) == pytest.approx(width)
        assert areas == pytest.approx([record[side] * width for record in records])


def test_what_is_not_there_is_refused(result):
    with pytest.raises(InputError, match="balance, histograms; got 'love'"):
        result.chart("love")
    with pytest.raises(UnknownName, match="'age'"):
        result.chart("histograms", "agee")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["balance", "histograms"])
@pytest.mark.parametrize("ending", ["html", "svg"])
def test_saved_without_a_network(result, tmp_path, kind, ending):
    path = tmp_path / f"chart.{ending}"
    result.save(path, kind=kind)
    text = path.read_text("utf-8")
    assert "Reweighting of predictions" in text
    assert ending == "svg" or "default-src 'none'" in text
    with pytest.raises(InputError, match=r"one of \.html, \.png, \.svg, \.pdf, \.csv, \.json"):
        result.save(tmp_path / "chart.xlsx")
