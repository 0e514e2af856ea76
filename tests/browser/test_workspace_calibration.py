"""The tabs "Calibration" and "Worst case" of a saved workspace, without a kernel."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import PaintedWidget
from browser.workspace import open_saved

STRESS = {"taus": {"mean texture": 0.3}, "hold": "none"}


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibration") / "audit.html"
    names["study"].save(path, views=["calibration", "worst_case"], stress=STRESS, feature="mean texture")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1600, "dark"), (800, "light"), (320, "light")])
def test_both_tabs_open_and_the_worst_case_moves_the_sliders(
    watch: Watch, saved: Path, names: dict[str, Any], picture: Callable[[str], object], width: int, scheme: str
) -> None:
    workspace = open_saved(watch, saved, width, scheme)
    assert not workspace.root.locator(".ts-inside-calibration, .ts-inside-worst_case").count()
    workspace.at("tab-metrics").focus()
    watch.page.keyboard.press("ArrowRight")
    tab = PaintedWidget(watch.page, ".ts-inside-calibration .tauscope[data-ready='1']")
    found = names["study"].calibration(ts.Mean("mean texture", tau=0.3)).summary
    slope = found[found["measure"] == "calibration_slope"].iloc[-1]
    assert f"{slope['value']:.2f}" in tab.text("calibration_slope")
    assert "mean texture" in tab.text("population")
    assert findings(watch.page) == []
    watch.page.keyboard.press("ArrowRight")
    worst = PaintedWidget(watch.page, ".ts-inside-worst_case .tauscope[data-ready='1']")
    assert "in the worst case" in worst.text("headline")
    assert findings(watch.page) == []
    assert workspace.collisions() == []
    assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    picture(f"workspace-worst-case-{width}")
    worst.at("use").click()
    watch.page.wait_for_function(
        "() => document.querySelector('.ts-inside-worst_case [data-testid=using]').textContent.includes('stand here')"
    )
    assert watch.problems == []
    assert watch.requests == [saved.as_uri()]
