"""Bars of shifts in a saved page, moved with real keys and the pointer: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import PaintedWidget, says
from tauscope.results.stress.harm import StressHarm

READY = ".ts-stress-harm[data-ready='1']"
NARROW = 320
N = 900


@pytest.fixture(scope="module")
def harm() -> StressHarm:
    """More than a hundred shifts, some of few rows."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(N, 50)), columns=[f"column number {k}" for k in range(50)])
    X["country of birth, as said"] = np.where(np.arange(N) < 7, "Ireland", rng.choice(["France", "Spain", "Malta"], N))
    wrong = rng.random(N) < 1 / (1 + np.exp(2 - X["column number 7"]))
    y = rng.integers(0, 2, N)
    return ts.Study.from_predictions(X, y, np.where(wrong, 1 - y, y)).stress_curves().harm("error_rate", distance=0.02)


def test_a_saved_page_is_moved_with_keys_and_pointer(
    watch: Watch, harm: StressHarm, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "h.html"
    harm.save(path)
    watch.page.goto(path.as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert "as tested" in widget.text("value")
    widget.press("shifts", "ArrowDown", times=2)
    second = harm.frame.iloc[1]
    assert says(widget.text("change").replace("points", "%"), second["change"])
    assert says(widget.text("interval").replace("points", "%"), second["lower"], second["upper"])
    assert says(widget.text("value"), second["before"], second["value"])
    assert says(widget.text("ess"), second["ess"])
    assert widget.root.get_by_role("option", selected=True).count() == 1
    picture("harm-light")
    before = widget.revision()
    widget.at("shift").nth(4).click()
    widget.wait_for_paint(before)
    assert says(widget.text("change").replace("points", "%"), harm.frame["change"][4])
    widget.press("shifts", "Escape")
    assert "as tested" in widget.text("value")
    assert widget.collisions() == []
    assert watch.requests == [path.as_uri()]


def test_a_long_list_scrolls_by_itself_in_a_narrow_dark_page(
    watch: Watch, harm: StressHarm, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    harm.save(tmp_path / "h.html")
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 800})
    watch.page.goto((tmp_path / "h.html").as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert widget.at("shift").count() > 100
    widget.press("shifts", "End")
    last = widget.at("shift").last
    inner, outer = last.bounding_box(), widget.at("shifts").bounding_box()
    assert inner is not None
    assert outer is not None
    assert outer["y"] <= inner["y"]
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
    assert watch.page.evaluate("scrollY") == 0
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
    assert "wide" in last.inner_text()
    assert widget.text("trust").startswith("Wide:")
    assert widget.collisions() == []
    picture("harm-dark-narrow")
