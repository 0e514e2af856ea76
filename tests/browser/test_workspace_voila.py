"""The workspace in Voila: it fills the page, asks nothing of another machine, and is each visitor's own."""

from collections.abc import Callable

from playwright.sync_api import Browser

from browser import waits, workspace
from browser.server import Server, in_voila
from browser.watch import Watch
from browser.widget import Widget

FEATURE = "mean compactness"


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
