"""The tab "New data" of a saved workspace: its slider takes the sliders, curves and metrics along, without a kernel."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.test_accessibility import findings
from browser.waits import ask_until
from browser.watch import Watch
from browser.widget import PaintedWidget, says
from browser.workspace import open_saved


@pytest.fixture(scope="module")
def there(names: dict[str, Any]) -> ts.TargetPopulation:
    X, y = names["X"], names["y"]
    larger = X["mean radius"] > 13
    return names["study"].towards(X[larger], y[larger], features=["mean radius", "mean texture"])


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], there: ts.TargetPopulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("towards") / "audit.html"
    names["study"].save(path, views=["towards"], towards=there, view="towards")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1600, "dark"), (800, "light"), (320, "light")])
def test_the_way_takes_all_views_along(
    watch: Watch,
    saved: Path,
    there: ts.TargetPopulation,
    picture: Callable[[str], object],
    width: int,
    scheme: str,
) -> None:
    workspace = open_saved(watch, saved, width, scheme)
    way = PaintedWidget(watch.page, ".ts-inside-towards .tauscope[data-ready='1']")
    assert "all of the way" in way.text("headline")
    way.press("amount", "End")
    way.press("amount", "PageDown")
    answer = there.at(0.8).metrics.set_index("metric").loc["error_rate"]
    expected = way.at("metric-error_rate").get_by_test_id("expected").inner_text()
    assert says(expected, answer["value"], answer["lower"], answer["upper"])
    workspace.root.locator(".ts-cell-population", has_text="mean radius").wait_for()
    assert findings(watch.page) == []
    assert workspace.collisions() == []
    assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    picture(f"workspace-towards-{width}")
    workspace.at("tab-metrics").press("Enter")
    row = workspace.at("panel-metrics").locator("tr", has_text="Error rate")
    ask_until(row.locator("b").inner_text, lambda told: says(told, answer["value"]))
    workspace.at("reset").first.press("Enter")
    workspace.at("tab-towards").press("Enter")
    assert "0 %" in way.text("population")
    assert watch.problems == []
    assert watch.requests == [saved.as_uri()]
