"""A saved workspace, opened from the disk: one stress moves all that it shows, without a kernel or a request."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, expect

import tauscope as ts
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import Widget, says
from browser.workspace import open_saved

FEATURE = "mean compactness"


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "audit.html"
    names["study"].save(path, feature=FEATURE, row=5, views=["effect", "boundary", "pooled", "rules"])
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1600, "light"), (1240, "dark"), (800, "light"), (320, "dark")])
def test_all_views_are_of_one_stress(
    watch: Watch, saved: Path, names: dict[str, Any], picture: Callable[[str], object], width: int, scheme: str
) -> None:
    workspace = open_saved(watch, saved, width, scheme)
    assert workspace.text("at-rest").startswith(f"Move {FEATURE}: at ")
    picture(f"workspace-page-{width}")
    workspace.press(FEATURE, "ArrowRight", times=20)
    answer = names["study"].joint_stress().at({FEATURE: 0.2})
    number = answer.metrics.set_index("metric").loc["portion_1"]
    panel = workspace.at("panel-metrics")
    assert says(panel.get_by_test_id("value").first.inner_text(), number["value"])
    assert says(panel.get_by_test_id("interval").first.inner_text(), number["lower"], number["upper"], share=True)
    assert says(workspace.at("ess").first.inner_text(), answer.ess)
    outcomes = names["study"]._outcomes
    wrong = np.flatnonzero((outcomes.truth == 0) & (outcomes.predicted == 1))
    workspace.at("confusion-1").click()
    workspace.at("selection").wait_for()
    assert workspace.at("selected-rows").input_value() == ", ".join(map(str, wrong))
    weight = names["study"].reweight(ts.Scenario("as on the slider", {FEATURE: 0.2}))._row_weights("this")
    told = re.findall(r"([\d.]+) %", workspace.text("selected-words"))
    expected = 100 * np.array([weight[wrong].sum() / weight.sum(), len(wrong) / len(weight)])
    np.testing.assert_allclose([float(share) for share in told], expected, atol=0.06)
    for name in ("effect", "boundary", "pooled", "rules"):
        workspace.at(f"tab-{name}").press("Enter")
        workspace.at(f"panel-{name}").locator(".tauscope[data-ready='1']").wait_for()
        assert workspace.collisions() == []
        assert workspace.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
        picture(f"workspace-page-{width}-{name}")
    for name in ("effect", "pooled"):
        assert FEATURE in workspace.at(f"panel-{name}").get_by_test_id("population").inner_text()
    told = workspace.at("panel-pooled").get_by_test_id("choice").inner_text()
    assert told.startswith("Pooled are the 37 rows that the model misclassifies, not the ")
    assert "no kernel" in told
    assert watch.problems == []
    assert watch.requests == [saved.as_uri()]


@pytest.mark.parametrize("width", [1600, 320])
def test_statistics_are_opened_by_keys_and_stay_open(
    watch: Watch, saved: Path, names: dict[str, Any], width: int
) -> None:
    watch.page.set_viewport_size({"width": width, "height": 900})
    watch.page.goto(saved.as_uri())
    workspace = Widget(watch.page, ".ts-workspace[data-ready='1']")
    statistics = workspace.at("population-details").first.locator("dl")
    assert not workspace.at("population-details").first.is_visible()  # nothing is moved
    workspace.press(FEATURE, "ArrowRight", times=10)
    workspace.at("population-trust").first.locator("button").focus()
    for key, shown in (("Tab", False), ("Enter", True), ("Space", False), ("Space", True)):
        watch.page.keyboard.press(key)
        assert statistics.is_visible() is shown
    workspace.press(FEATURE, "ArrowRight", times=10)
    answer = names["study"].joint_stress().at({FEATURE: 0.2})
    assert statistics.is_visible()
    assert says(statistics.get_by_test_id("tv").inner_text(), answer.tv)
    assert says(statistics.get_by_test_id("kl").inner_text(), answer.kl)
    assert says(workspace.at("ess").first.inner_text(), answer.ess)
    assert "effective" not in statistics.inner_text()
    assert workspace.collisions() == []
    assert findings(watch.page) == []


def test_a_view_that_doubts_its_population_says_how_many_rows_are_left(
    watch: Watch, names: dict[str, Any], tmp_path: Path
) -> None:
    names["study"].save(tmp_path / "rows.html", views=["table"])
    workspace = open_saved(watch, tmp_path / "rows.html", 1600, "light")
    for key in ("End", "PageDown"):
        workspace.press(FEATURE, key)
    workspace.at("tab-table").press("Enter")
    trust = workspace.at("panel-table").get_by_test_id("population-trust")
    expect(trust).to_have_text(
        "◐ wide: 10 rows carry 25 % of the weight; 94 effective rows of 569", use_inner_text=True
    )


def boxes(locator: Locator) -> list[FloatRect]:
    """Where the elements that are shown lie in the window."""
    return [box for one in locator.all() if one.is_visible() and (box := one.bounding_box())]


@pytest.mark.parametrize(
    ("width", "height", "tallest"),
    [(1600, 900, 660), (1280, 800, 660), (1040, 800, 660), (800, 800, 710), (320, 950, 0)],
)
def test_cause_and_effect_are_on_one_screen(watch: Watch, saved: Path, width: int, height: int, tallest: int) -> None:
    watch.page.set_viewport_size({"width": width, "height": height})
    watch.page.goto(saved.as_uri())
    workspace = Widget(watch.page, ".ts-workspace[data-ready='1']")
    workspace.press(FEATURE, "ArrowRight", times=10)
    workspace.press("mean radius", "ArrowRight", times=10)
    column = workspace.root.locator(".ts-workspace-body > .ts-cell-curves, .ts-views").first
    curves = boxes(workspace.root.locator(".ts-cell-curves .ts-plane"))
    if workspace.at("tab-curves").is_visible():
        workspace.at("tab-curves").press("Enter")
        curves = boxes(workspace.root.locator(".ts-cell-curves .ts-plane"))
    [slider] = boxes(workspace.slider("mean radius"))
    [whole] = boxes(workspace.root)
    assert len(curves) == 2
    seen = curves if tallest else curves[:1]  # a sidebar has room for one
    for mark in [slider, *seen]:
        assert mark["y"] >= 0
        assert mark["y"] + mark["height"] <= height
    if tallest:
        assert whole["height"] <= tallest
        [inside] = boxes(column)
        assert curves[-1]["y"] + curves[-1]["height"] <= inside["y"] + inside["height"]
    assert watch.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_in_a_sidebar_the_cause_stays_while_effects_scroll(
    watch: Watch, saved: Path, picture: Callable[[str], object]
) -> None:
    watch.page.set_viewport_size({"width": 320, "height": 850})
    watch.page.goto(saved.as_uri())
    workspace = Widget(watch.page, ".ts-workspace[data-ready='1']")
    workspace.at("tab-curves").press("Enter")
    workspace.press(FEATURE, "ArrowRight", times=10)
    lower = workspace.root.locator(".ts-cell-curves .ts-plane").last
    lower.evaluate("(chart) => chart.scrollIntoView({ block: 'end' })")
    before = workspace.root.locator(".ts-cell-curves").get_by_test_id("value").last.inner_text()
    workspace.press(FEATURE, "ArrowRight", times=10)
    picture("workspace-page-320-scrolled")
    [line], [slider], [chart] = (
        boxes(one) for one in (workspace.at("population").first, workspace.slider(FEATURE), lower)
    )
    cause = boxes(workspace.root.locator(".ts-cause"))[0]
    assert 0 <= line["y"] < slider["y"] < cause["y"] + cause["height"] <= chart["y"]
    assert chart["y"] + chart["height"] <= 850 + 1
    assert workspace.root.locator(".ts-cell-curves").get_by_test_id("value").last.inner_text() != before
    watch.page.set_viewport_size({"width": 320, "height": 600})  # too low for both
    assert workspace.root.locator(".ts-cause").evaluate("(cause) => getComputedStyle(cause).position") == "static"
    workspace.at("tab-effect").press("Enter")
    for line in workspace.at("panel-effect").locator(".ts-legend li:not([hidden])").all():
        swatch, words = (boxes(line.locator(part))[0] for part in (".ts-swatch", "span:last-child"))
        assert words["x"] > swatch["x"] + swatch["width"] > swatch["x"]
