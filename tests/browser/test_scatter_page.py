"""The scatter of a saved workspace: a rectangle by mouse and by keys selects everywhere, under the stress too."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import Widget, says

FEATURE = "mean texture"
X_COLUMN = "mean area"


COLOURED = """
(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let blue = 0;
  for (let k = 0; k < data.length; k += 4) if (data[k + 2] > data[k] + 60) blue++;
  return blue > 100;
}
"""


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scatter") / "audit.html"
    inside = {"table": {"display": "scatter", "x": X_COLUMN}}
    names["study"].save(path, views=["table"], view="table", feature=FEATURE, row=5, inside=inside)
    return path


def rows_told(workspace: Widget) -> list[int]:
    return json.loads(f"[{workspace.at('selected-rows').input_value()}]")


@pytest.mark.parametrize(("width", "scheme"), [(1600, "light"), (800, "dark"), (320, "light")])
def test_a_rectangle_selects_in_every_view(
    watch: Watch, saved: Path, names: dict[str, Any], picture: Callable[[str], object], width: int, scheme: str
) -> None:
    page, study = watch.page, names["study"]
    page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(saved.as_uri())
    workspace = Widget(page, ".ts-workspace[data-ready='1']")
    scatter = workspace.at("scatter")
    assert workspace.at("scatter-x").input_value() == X_COLUMN
    scatter.scroll_into_view_if_needed()
    page.wait_for_function(COLOURED, arg=scatter.locator("canvas").element_handle())
    box = scatter.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 100)
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] - 2)
    page.mouse.up()
    workspace.at("selection").wait_for()
    area = study.X[X_COLUMN].to_numpy()
    chosen = rows_told(workspace)
    assert len(chosen) > 5
    rest = np.setdiff1d(np.arange(len(area)), chosen)
    assert area[chosen].min() > area[rest].max()
    picture(f"scatter-{width}")
    assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0

    workspace.press("mean compactness", "ArrowRight", times=20)
    weight = study.reweight(ts.Mean("mean compactness", tau=0.2))._row_weights("this")
    now, before = weight[chosen].sum() / weight.sum(), len(chosen) / len(area)
    told = workspace.text("selected-words").partition(",")[2]
    assert says(told, now)
    assert says(told.partition("(")[2], before)
    # the table weighs the rows by the page's own answer
    assert says(workspace.text("selected").partition(",")[2], now)

    scatter.press("Escape")
    workspace.at("selection").wait_for(state="hidden")
    for _ in range(12):
        scatter.press("ArrowLeft")
    for _ in range(15):
        scatter.press("Shift+ArrowUp")
    for _ in range(20):
        scatter.press("Shift+ArrowRight")
    workspace.wait_for_text("scatter-rectangle", "Within")
    workspace.at("selection").wait_for()
    keyed = rows_told(workspace)
    assert keyed
    assert set(keyed) < set(range(len(area)))
    workspace.at("display-table").press("Enter")
    workspace.at("filter").select_option("selected")
    workspace.wait_for_text("found", f"{len(keyed):,} of")
    assert watch.problems == []
