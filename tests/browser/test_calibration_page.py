"""Calibration in a saved page, with real keys: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import PaintedWidget, says

READY = ".ts-calibration[data-ready='1']"
NARROW = 320


@pytest.fixture(scope="module")
def found(names: dict[str, Any]) -> ts.Calibration:
    """Larger tumours by their texture."""
    X, study = names["X"], names["study"]
    rough = (X["mean texture"] > 19).map({True: "rough", False: "smooth"})
    return study.calibration(ts.Mean("mean radius", tau=0.2), by=rough, n_bins=5)


def test_a_saved_page_shows_each_group_by_keys_and_every_bin(
    watch: Watch, found: ts.Calibration, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "calibration.html"
    found.save(path)
    watch.page.set_viewport_size({"width": 800, "height": 800})
    watch.page.goto(path.as_uri())
    widget = PaintedWidget(watch.page, READY)
    for row in found.summary.query("measure == 'expected_calibration_error'").tail(1).to_dict("records"):
        name = f"expected_calibration_error-{row['group']}"
        assert says(widget.text(name), row["value"], row["lower"], row["upper"])
    picture("calibration-light")
    front = widget.root.locator(".ts-chosen")
    before = front.get_attribute("points")
    widget.press("group", "ArrowDown")
    assert front.get_attribute("points") != before
    assert widget.text("headline").startswith("smooth: ")
    opens = widget.root.get_by_text("Every bin as a table")
    opens.focus()
    watch.page.keyboard.press("Enter")
    bins = found.frame[found.frame["group"] == "smooth"]
    rows = widget.root.locator(".ts-table tbody tr")
    rows.first.wait_for()
    assert rows.count() == len(bins)
    assert f"{100 * bins['observed'].iloc[1]:.1f} %" in rows.nth(1).inner_text()
    assert widget.collisions() == []
    assert watch.requests == [path.as_uri()]


def test_it_fits_a_narrow_dark_page(
    watch: Watch, found: ts.Calibration, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    found.save(tmp_path / "calibration.html", group="smooth")
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 800})
    watch.page.goto((tmp_path / "calibration.html").as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
    assert widget.collisions() == []
    picture("calibration-dark-narrow")
