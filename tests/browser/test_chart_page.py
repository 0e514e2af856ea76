"""A saved chart, opened from the disk: every kind is drawn by what the page has, names stay text."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from browser.watch import Watch
from results.effects.samples import HOSTILE
from results.every import MADE, result

NARROW = 320
CHARTS = (
    "refits",
    "reweighting",
    "metrics by group",
    "metrics by group of chunks",
    "effect by group",
    "effect by group of chunks",
    "effect by group, each moved by itself",
    "curves by group",
    "scenarios",
    "effects",
    "bounds",
    "shift",
    "attack",
    "comparison",
    "distribution",
    "distribution of several rows",
    "sufficient values of several rows",
    "rules of several rows",
    "regions",
    "boundaries",
    "sufficient",
    "rules under a stress",
    "sufficient values under a stress",
    "swing rules",
    "rule list",
    "randomized",
)
CANNOT = {"reweighting of chunks"}  # it needs a weight for each row
WORD_JOINER = "\u2060"


def test_every_kind_that_is_a_chart_is_here() -> None:
    charts = {name for name in MADE if hasattr(result(name), "chart") and not hasattr(result(name), "widget")}
    assert charts == {*CHARTS, *CANNOT}


@pytest.mark.parametrize("name", CHARTS)
def test_every_kind_of_chart_is_drawn(watch: Watch, tmp_path: Path, name: str) -> None:
    path = tmp_path / "chart.html"
    result(name).save(path)
    watch.page.goto(path.as_uri())
    watch.page.wait_for_selector("#chart svg")
    assert watch.page.locator("#chart svg [aria-roledescription='axis']").count() >= 1
    # a path that could not be computed has NaN in it
    assert "NaN" not in watch.page.locator("#chart svg").inner_html()
    assert watch.requests == [path.as_uri()]


def test_a_chart_has_numbers_to_point_at_and_scrolls_by_itself(watch: Watch, tmp_path: Path) -> None:
    X = pd.DataFrame({HOSTILE: np.arange(20.0), "b": np.arange(20.0)})
    path = tmp_path / "bounds.html"
    ts.Study(lambda rows: rows["b"], X, X["b"] / 3).effect(HOSTILE).bounds(0.1).save(path)
    watch.page.set_viewport_size({"width": NARROW, "height": 700})
    watch.page.goto(path.as_uri())
    watch.page.wait_for_selector("#chart svg")
    watch.page.locator("#chart svg .mark-symbol path").nth(8).hover()
    tooltip = watch.page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for()
    assert "certified_lower" in tooltip.inner_text()
    assert HOSTILE in tooltip.inner_text().replace(WORD_JOINER, "")
    assert watch.page.locator("#chart img, #chart script").count() == 0
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
