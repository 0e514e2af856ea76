"""A worst case in a saved page, moved with real keys: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import PaintedWidget, says

READY = ".ts-worst-case[data-ready='1']"
NARROW = 320


@pytest.fixture(scope="module")
def worst(names: dict[str, Any]) -> ts.WorstCase:
    """The worst shift of two means."""
    return names["study"].worst_case("error_rate", within={"kl": 0.1}, features=["mean radius", "mean texture"])


def test_a_saved_page_moves_with_keys_and_gives_its_stress(
    watch: Watch, worst: ts.WorstCase, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "worst.html"
    worst.save(path)
    watch.page.set_viewport_size({"width": 800, "height": 800})
    watch.page.goto(path.as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert says(widget.text("chosen"), worst.value, worst.lower, worst.upper)
    picture("worst-light")
    widget.press("amount", "ArrowLeft", times=2)
    part = worst.at(0.6)
    assert says(widget.text("chosen"), part.value, part.lower, part.upper)
    assert widget.text("held-out") == "" or not widget.at("held-out").is_visible()
    widget.press("use", "Enter")
    assert widget.text("using") == "The sliders of linked views stand here."
    assert widget.collisions() == []
    assert watch.requests == [path.as_uri()]


def test_it_fits_a_narrow_dark_page(
    watch: Watch, worst: ts.WorstCase, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    worst.save(tmp_path / "worst.html", amount=0.4)
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 800})
    watch.page.goto((tmp_path / "worst.html").as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
    assert widget.collisions() == []
    picture("worst-dark-narrow")
