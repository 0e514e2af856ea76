"""The workspace in Voila: it fills the page, asks nothing of another machine, and is each visitor's own."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Browser

from browser import waits, workspace
from browser.server import Server, in_voila
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import Widget

FEATURE = "mean compactness"
PLACES = """
(root) => {
  const box = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const one = (selector) => box(root.querySelector(selector));
  const color = (element) => getComputedStyle(element).backgroundColor;
  // what is painted last at a place of the page
  const seen = ([x, y]) => {
    let element = document.elementFromPoint(x, y);
    while (color(element) === "rgba(0, 0, 0, 0)") element = element.parentElement;
    return color(element);
  };
  return {
    root: box(root),
    columns: [".ts-cell-sliders", ".ts-cell-curves", ".ts-views"].map(one),
    charts: [...root.querySelectorAll(".ts-cell-curves .ts-plane, [data-testid=panel-effect] .ts-plane")].map(box),
    slider: one(`.ts-is-chosen input[type=range]`),
    colors: [color(root), ...[[5, innerHeight / 2], [innerWidth / 2, innerHeight - 5]].map(seen)],
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
}
"""


def test_visitors_do_not_see_each_other(
    browser: Browser, watch: Watch, voila: Server, picture: Callable[[str], object]
) -> None:
    address = in_voila(voila, workspace.IN_VOILA)
    watch.page.set_viewport_size({"width": 1600, "height": 900})
    watch.page.goto(address)
    first = Widget(watch.page, workspace.READY)
    context = browser.new_context()
    context.set_default_timeout(waits.MILLISECONDS)
    other = context.new_page()
    other.goto(address)
    second = Widget(other, workspace.READY)
    first.press(FEATURE, "ArrowRight", times=10)
    first.at("tab-effect").press("Enter")
    first.at("panel-effect").locator(".tauscope[data-ready='1']").wait_for()
    picture("workspace-voila")
    assert first.collisions() == []
    assert FEATURE in first.at("population").first.inner_text()
    assert second.at("population").first.inner_text().startswith("the data as they are")
    assert second.at("tab-metrics").get_attribute("aria-selected") == "true"
    second.press(FEATURE, "ArrowLeft", times=3)
    assert float(first.slider(FEATURE).input_value()) == 0.1
    assert float(second.slider(FEATURE).input_value()) == -0.03
    context.close()
    assert "error" not in voila.log().lower()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fills_the_page_as_columns(
    watch: Watch, voila: Server, picture: Callable[[str], object], theme: str
) -> None:
    watch.page.set_viewport_size({"width": 1600, "height": 900})
    watch.page.goto(f"{in_voila(voila, workspace.IN_VOILA)}?theme={theme}")
    shown = Widget(watch.page, workspace.READY)
    shown.press(FEATURE, "ArrowRight", times=10)
    shown.at("tab-effect").press("Enter")
    shown.at("panel-effect").locator(".tauscope[data-ready='1']").wait_for()
    picture(f"workspace-voila-{theme}")
    found = shown.root.evaluate(PLACES)
    root, columns, charts = found["root"], found["columns"], found["charts"]
    assert root["right"] - root["left"] > 1500
    assert root["bottom"] - root["top"] < 660
    assert len({column["top"] for column in columns}) == 1
    assert all(left["right"] < right["left"] for left, right in pairwise(columns))
    assert len(charts) == 3
    for mark in [found["slider"], *charts]:  # without scrolling anything
        assert columns[0]["top"] <= mark["top"] < mark["bottom"] <= columns[0]["bottom"]
    assert found["sideways"] <= 0
    assert len(set(found["colors"])) == 1
    assert findings(watch.page) == []
    assert shown.at("redo").evaluate("(one) => one.ariaDisabled === 'true' && getComputedStyle(one).opacity < 1")
