"""A saved boundary, opened from the disk: it is walked without a kernel, and says what needs one."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tauscope as ts
from browser.boundary_widget import BoundaryWidget
from browser.contrast import contrast
from browser.watch import Watch
from results.effects.samples import HOSTILE
from wire import write_boundary

WIDE, NARROWEST = 1200, 390
N_ROWS = 60
READABLE = 4.5


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a row between three classes, two of which are near, with names that would be markup."""
    i = np.arange(N_ROWS)
    X = pd.DataFrame({HOSTILE: np.sin(i) * 2, "b": np.cos(2 * i) * 2, "level": np.resize(["<i>x</i>", "y"], N_ROWS)})
    X["age"] = 20 + (7 * i) % 41

    def probabilities(rows: pd.DataFrame) -> np.ndarray:
        first = rows[HOSTILE] + 0.4 * (rows["level"] == "y")
        scores = np.exp(np.stack([0 * first, first + rows["b"] / 3, rows["b"] - first / 3 + 0.2], axis=1))
        return scores / scores.sum(axis=1, keepdims=True)

    study = ts.Study(probabilities, X, probabilities(X).argmax(axis=1), classes=[0, 1, 2], task="multiclass")
    row = int(np.flatnonzero(probabilities(X).argmax(axis=1) == 0)[0])
    path = tmp_path_factory.mktemp("saved") / "boundary.html"
    study.boundary(row, random_state=0, n_regions=3, n=2, progress=False, fixed=["age"]).save(path)
    return path


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROWEST, "dark")])
def test_a_page_is_walked_alone(
    watch: Watch, saved: Path, picture: Callable[[str], object], width: int, scheme: str
) -> None:
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 1200})
    watch.page.goto(saved.as_uri())
    widget = BoundaryWidget(watch.page)
    before = widget.text("reading")
    widget.press("walk", "ArrowRight", times=4)
    assert widget.text("reading") != before
    widget.press("walk", "Home")
    assert widget.text("reading").startswith("0.")
    assert "decided 0" in widget.text("reading")
    picture(f"boundary-page-{scheme}-{width}")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    assert watch.requests == [saved.as_uri()]


def test_a_page_says_what_needs_a_kernel(watch: Watch, saved: Path) -> None:
    watch.page.goto(saved.as_uri())
    widget = BoundaryWidget(watch.page)
    widget.value(HOSTILE).click()
    names = ("row", "next", "search-again", "lock", "edit")
    controls = [widget.at(name).first for name in names]
    assert all(control.is_disabled() for control in controls)
    assert "has no kernel" in widget.text("progress")
    assert HOSTILE in widget.text("changes")
    assert watch.page.evaluate("[document.images.length, document.querySelectorAll('th i, td i').length]") == [0, 0]


def test_answers_are_tabs(watch: Watch, saved: Path) -> None:
    watch.page.goto(saved.as_uri())
    widget = BoundaryWidget(watch.page)
    tabs = widget.at("answers").get_by_role("tab")
    assert tabs.count() > 1
    tabs.first.focus()
    watch.page.keyboard.press("ArrowRight")
    assert tabs.nth(1).get_attribute("aria-selected") == "true"
    assert widget.text("headline").startswith("Another ")


@pytest.fixture(scope="module")
def sights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a row whose features are words and, laid out so, pixels."""
    found = write_boundary.word_study().boundary(7, random_state=0, progress=False, metric="euclidean")
    path = tmp_path_factory.mktemp("saved") / "sights.html"
    found.save(path, shape=write_boundary.IMAGE, text=f"{write_boundary.MESSAGE} <img src=x onerror=alert(1)>")
    return path


INK = "(canvas) => [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data]"


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROWEST, "dark")])
def test_pictures_follow_the_walk_and_words_are_no_markup(
    watch: Watch, sights: Path, picture: Callable[[str], object], width: int, scheme: str
) -> None:
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 1200})
    watch.page.goto(sights.as_uri())
    widget = BoundaryWidget(watch.page)
    first = widget.at("picture-point").evaluate(INK)
    assert widget.at("picture-point").get_attribute("aria-label") == "nearest flip: spam"
    widget.press("walk", "End")
    assert widget.at("picture-point").evaluate(INK) != first
    assert str(widget.at("picture-point").get_attribute("aria-label")).startswith("on the way: ")
    assert len(set(widget.at("picture-direction").evaluate(INK))) > 3
    assert "<img src=x onerror=alert(1)>" in widget.text("text")
    assert watch.page.evaluate("document.images.length") == 0
    assert contrast(widget.at("text").locator(".ts-word").first) >= READABLE
    picture(f"boundary-sights-{scheme}-{width}")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
