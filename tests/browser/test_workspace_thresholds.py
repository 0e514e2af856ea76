"""The tab "Threshold" of a saved workspace: under its stress, by its groups, moved with keys, without a kernel."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import PaintedWidget, says
from browser.workspace import open_saved

STRESS = {"taus": {"mean texture": 0.3}, "hold": "none"}


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("thresholds") / "audit.html"
    names["study"].save(path, views=["thresholds"], stress=STRESS, by="size", feature="mean texture")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1600, "dark"), (800, "light"), (320, "light")])
def test_the_tab_decides_under_the_stress(
    watch: Watch, saved: Path, names: dict[str, Any], picture: Callable[[str], object], width: int, scheme: str
) -> None:
    workspace = open_saved(watch, saved, width, scheme)
    assert not workspace.root.locator(".ts-inside-thresholds").count()
    workspace.at("tab-metrics").focus()
    watch.page.keyboard.press("ArrowRight")
    tab = PaintedWidget(watch.page, ".ts-inside-thresholds .tauscope[data-ready='1']")
    expected = names["study"].threshold_curves(ts.Mean("mean texture", tau=0.3), by="size")
    at = expected.thresholds.tolist()
    slider = tab.root.locator("[data-testid=threshold]:visible")
    tab.press_on(slider, "ArrowLeft", times=2)
    threshold = at[at.index(0.5) - 2]
    rows = expected.at(threshold).query("group == 'medium' and metric == 'error_rate'").iloc[0]
    assert says(tab.text("error_rate-medium"), rows["value"], rows["lower"], rows["upper"])
    assert "mean texture" in tab.text("population")
    assert findings(watch.page) == []
    assert workspace.collisions() == []
    assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    picture(f"workspace-thresholds-{width}")
    assert watch.problems == []
    assert watch.requests == [saved.as_uri()]
