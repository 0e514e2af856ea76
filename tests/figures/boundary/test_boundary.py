"""Charts of boundaries: what stands in their data, and that every kind compiles."""

import numpy as np
import pytest

import tauscope as ts
from study.boundary.cases import QUIET, above, forest, logistic, mixed, plane
from tauscope.errors import InputError


def data(chart, layer=0):
    spec = chart.to_dict()
    source = spec["layer"][layer].get("data", spec.get("data"))
    return source["values"] if "values" in source else spec["datasets"][source["name"]]


def test_the_changes_are_bars_the_largest_first():
    b = logistic().boundary(17, **QUIET)
    drawn = data(b.chart(n_features=4))
    changes = b.frame["change_scaled"].head(4).tolist()
    assert [record["change"] for record in drawn] == changes
    assert drawn[0]["feature"].startswith(f"{b.frame['feature'][0]}: ")
    assert "→" in drawn[0]["feature"]


@pytest.mark.slow
def test_levels_are_bars_too():
    found = [b for b in mixed().boundaries(range(30), **QUIET, fixed=["capital-gain"]) if b.status == "found"]
    with_level = [b for b in found if b.frame["change"].isna().to_numpy()[b.frame["change_scaled"] == 1].any()]
    assert with_level
    drawn = data(with_level[0].chart())
    assert any(record["change"] == 1 for record in drawn)


@pytest.mark.slow
def test_the_path_is_a_line_with_its_crossing():
    b = forest().boundary(17, **QUIET)
    chart = b.chart("path")
    assert len(data(chart)) == 101
    assert data(chart, 2) == [{"at": b.crossing}]
    assert "probability of malignant" in chart.to_json()


@pytest.mark.parametrize("explainer", ["pls", "logistic_pls"])
@pytest.mark.parametrize("row", [17, 20])
def test_the_projection_has_the_sample_by_what_is_decided(explainer, row):
    b = logistic().boundary(row, **QUIET, explainer=explainer, radius=1.0)
    drawn, table = data(b.chart("projection")), b.projection
    assert [record["first"] for record in drawn] == table["first"].tolist()
    assert [record["label"] for record in drawn] == table["label"].tolist()
    flipped = [record["side"] == f"not {b.predicted}" for record in drawn]
    assert np.mean(flipped) == pytest.approx(1 - b.diagnostics["balance"])


def test_what_cannot_be_drawn_says_why():
    study = logistic()
    short = study.boundaries([17], **QUIET, paths=False)[0]
    for result, options, words in (
        (short, {"kind": "path"}, "not asked along the direction"),
        (short, {"kind": "pie"}, "one of changes, path, image, projection"),
        (short, {"kind": "projection"}, "got explainer='ridge'"),
        (short, {"kind": "image"}, 'shape is for kind="image", which needs it'),
        (short, {"shape": (5, 6)}, 'shape is for kind="image"'),
        (short, {"kind": "image", "shape": (5, 5)}, "5 × 5 is 25 pixels, and there are 30 columns"),
        (short, {"n_features": 0}, "at least 1"),
    ):
        with pytest.raises(InputError, match=words):
            result.chart(**options)


def test_where_nothing_was_found_the_chart_says_so():
    study = logistic()
    none = study.boundary(17, **QUIET, fixed=list(study.feature_names))
    for kind in ("changes", "path"):
        assert "leave nothing to move" in none.chart(kind).to_json()


def images(result, shape):
    """The cells of each picture, by its title."""
    spec = result.chart("image", shape=shape).to_dict()

    def cells(data):
        return data["values"] if "values" in data else spec["datasets"][data["name"]]

    return {one["title"]["text"]: cells(one.get("data", spec.get("data"))) for one in spec["hconcat"]}


def test_features_that_are_pixels_are_pictures():
    b = logistic().boundary(17, **QUIET)
    drawn = images(b, (5, 6))
    assert list(drawn) == ["row 17", "nearest flip", f"rival, row {b.rival_row}", "direction across"]
    leans = [cell["lean"] for cell in drawn["direction across"]]
    assert np.allclose(leans, b.direction / b.direction.abs().max())
    last = drawn["row 17"][-1]
    assert (last["row"], last["column"]) == (4, 5)
    assert last["shade"] == f"{b.value.iloc[-1]:.3g}"
    assert {cell["color"] for cell in drawn["row 17"]} >= {"rgb(0,0,0)"}
    assert images(b, (5, 2, 3))["row 17"][0]["color"].count(",") == 2


def test_a_picture_that_is_not_there_is_left_out():
    study = logistic()
    none = study.boundary(17, **QUIET, fixed=list(study.feature_names))
    assert list(images(none, (5, 6))) == ["row 17"]


def test_distances_of_many_are_ticks_by_class():
    study = logistic()
    bs = study.boundaries([0, 17, 19, 20], **QUIET)
    drawn = data(bs.chart())
    assert [record["distance"] for record in drawn] == bs.frame["distance"].tolist()
    assert {record["predicted"] for record in drawn} == {"benign", "malignant"}


def test_pooled_directions_are_bars():
    pooled = logistic().pooled_boundary([0, 17, 19], **QUIET)
    drawn = data(pooled.chart(n_features=6))
    for field, column in (("weight", "direction"), ("lower", "lower"), ("upper", "upper")):
        assert [record[field] for record in drawn] == pooled.frame[column].head(6).tolist()
    with pytest.raises(InputError, match="at least 1"):
        pooled.chart(n_features=0)


def test_where_features_are_absent_each_part_has_its_bar_and_interval():
    X = plane(word=np.tile([0, 1, 0, 2], 50))
    pooled = ts.Study(lambda rows: above(rows), X, above(X), progress=False).pooled_boundary(range(12), **QUIET)
    bars, ends = (data(pooled.chart(), layer) for layer in (0, 1))
    assert len(bars) == len(ends) == 2 * 3
    table = pooled.frame.set_index("feature")
    for record in bars:
        part = {"rows that have it": "present", "rows that do not": "absent"}[record["part"]]
        row = table.loc[record["feature"]]
        assert (record["weight"], record["lower"]) == (row[part], row[f"{part}_lower"])
    alone = ts.Study(lambda rows: above(rows), X, above(X), progress=False).pooled_boundary([3], **QUIET)
    assert data(alone.chart(), 1) == []
    assert any("no interval" in line for line in alone.chart().to_dict()["title"]["subtitle"])
