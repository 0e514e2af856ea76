"""The way to another population in a saved page, gone with real keys: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import PaintedWidget, says

READY = ".ts-towards[data-ready='1']"
NARROW = 320


@pytest.fixture(scope="module")
def there(names: dict[str, Any]) -> ts.TargetPopulation:
    """Larger tumours, with their labels."""
    X, y = names["X"], names["y"]
    larger = (X["mean radius"] > X["mean radius"].median()) | (np.arange(len(X)) % 3 == 0)
    return names["study"].towards(X[larger], y[larger], features=["mean radius", "mean texture", "size"])


def says_metric(widget: PaintedWidget, there: ts.TargetPopulation, amount: float) -> bool:
    """Tell whether the error rate reads as Python has it at an amount."""
    row = there.at(amount).metrics.set_index("metric").loc["error_rate"]
    cell = widget.at("metric-error_rate")
    expected, observed = (cell.get_by_test_id(name).inner_text() for name in ("expected", "observed"))
    return (
        says(expected, row["value"], row["lower"], row["upper"])
        and says(observed, row["observed"], row["observed_lower"], row["observed_upper"])
        and says(cell.get_by_test_id("before").inner_text(), row["before"])
    )


def test_a_saved_page_goes_the_way_with_keys_and_numbers_typed(
    watch: Watch, there: ts.TargetPopulation, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "there.html"
    there.save(path)
    watch.page.goto(path.as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert says_metric(widget, there, 1.0)
    assert says(widget.text("ess"), there.ess)
    picture("towards-light")
    widget.press("amount", "ArrowLeft", times=3)
    assert says_metric(widget, there, 0.7)
    assert widget.text("population").startswith("70 % of the way to ")
    before = widget.revision()
    widget.at("typed").fill("0.4")
    widget.at("typed").press("Enter")
    widget.wait_for_paint(before)
    assert says_metric(widget, there, 0.4)
    widget.press("amount", "Home")
    assert "Move the slider" in widget.text("at-rest")
    assert widget.collisions() == []
    assert watch.requests == [path.as_uri()]


def test_it_fits_a_narrow_dark_page(
    watch: Watch, there: ts.TargetPopulation, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    there.save(tmp_path / "there.html")
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 800})
    watch.page.goto((tmp_path / "there.html").as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
    widget.press("amount", "PageDown")
    assert says_metric(widget, there, 0.8)
    assert widget.collisions() == []
    picture("towards-dark-narrow")
