"""Saved pages on paper and in a narrow column, nothing cut and no controls on paper; terms explained by a click."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.contrast import contrast
from browser.watch import Watch
from browser.widget import PaintedWidget

PAPERS = {"A4": (718, 1046), "Letter": (740, 980)}
"""Pixels within the margins that browsers leave."""
NARROW = 220
READABLE = 4.5
KINDS = ("curves", "joint", "effect", "surface", "rules", "workspace")

CUT = """
(root) => [...root.querySelectorAll("*")].filter((element) => {
  const style = getComputedStyle(element);
  const scrolls = ["auto", "scroll", "hidden"].includes(style.overflowY);
  const named = element.closest("svg, .ts-hidden, .ts-feature, .ts-love-name, .ts-name-start, .ts-shift-name");
  return scrolls && !named && element.checkVisibility() && element.scrollHeight > element.clientHeight + 1;
}).map((element) => element.className)
"""
# Never parted, and taller than a page.
TALLER = """
(root, height) => [...root.querySelectorAll("svg, figure, tr, .ts-row, .ts-bars, .ts-population")]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > height)
  .map((element) => element.outerHTML.slice(0, 80))
"""
CROPPED = """
(root) => [...root.querySelectorAll(".ts-plane svg, svg[viewBox][width]")].filter((picture) => {
  const [inner, outer] = [picture, picture.closest(".ts-plane") ?? picture.parentElement]
    .map((element) => element.getBoundingClientRect());
  return !picture.parentElement.closest("svg") && picture.checkVisibility() &&
    (inner.right > outer.right + 1 || inner.bottom > outer.bottom + 1);
}).map((picture) => picture.getAttribute("class"))
"""
# A choice that begins left of the words below it loses its first letter to whatever clips it.
LEFT_OUT = """
(root) => [...root.querySelectorAll("select")].filter((choice) => choice.checkVisibility() &&
  choice.getBoundingClientRect().left < choice.parentElement.getBoundingClientRect().left - 0.5
).map((choice) => choice.value)
"""
# A browser that prints does not wait for pictures to be drawn anew.
NOT_DRAWN_ANEW = """
globalThis.ResizeObserver = class extends ResizeObserver {
  constructor(resized) { super((...told) => globalThis.onPaper || resized(...told)); }
};
"""
CONTROLS = "input[type=range], input[type=search], input[type=checkbox], .ts-button, .ts-more"


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page of each kind."""
    folder, study = tmp_path_factory.mktemp("pages"), names["study"]
    results = {
        "curves": names["curves"],
        "joint": study.joint_stress(),
        "effect": names["effect"],
        "surface": study.stress_surface("mean radius", "mean texture", taus=5),
        "rules": study.rules(0),
    }
    for kind, result in results.items():
        result.save(folder / f"{kind}.html")
    study.save(folder / "workspace.html", feature="mean radius", view="effect", views=["effect"])
    return folder


def opened(page: Page, path: Path) -> PaintedWidget:
    """Open a saved page; its widget, painted."""
    page.goto(path.as_uri())
    return PaintedWidget(page, ".tauscope[data-ready='1']")


@pytest.mark.slow
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_printed_dark_on_white_whole_and_without_controls(
    watch: Watch, saved: Path, kind: str, paper: str
) -> None:
    page = watch.page
    width, height = PAPERS[paper]
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": width, "height": height})
    root = opened(page, saved / f"{kind}.html").root
    assert root.locator(CONTROLS).count() > 0
    assert [each for each in root.locator(CONTROLS).all() if each.is_visible()] == []
    assert root.evaluate("(root) => getComputedStyle(root).backgroundColor") == "rgb(255, 255, 255)"
    assert contrast(root.locator(".ts-title b, .ts-title").first) >= READABLE
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert root.evaluate(CUT) == []
    assert root.evaluate(LEFT_OUT) == []
    assert root.evaluate(TALLER, height) == []
    assert page.pdf(format=paper).startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_drawn_for_a_wide_screen_is_whole_on_paper(watch: Watch, saved: Path, kind: str) -> None:
    page = watch.page
    page.add_init_script(NOT_DRAWN_ANEW)
    root = opened(page, saved / f"{kind}.html").root
    page.evaluate("globalThis.onPaper = true")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPERS["A4"][0], "height": 1000})
    assert root.evaluate(CROPPED) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wider_than_a_narrow_column_nor_blank_in_it(watch: Watch, saved: Path, kind: str) -> None:
    watch.page.set_viewport_size({"width": NARROW, "height": 1000})
    root = opened(watch.page, saved / f"{kind}.html").root
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= NARROW
    for reserved in root.locator(".ts-reserved").all():
        said = reserved.locator("> :last-child").bounding_box()
        room = reserved.bounding_box()
        if said and room:
            assert room["height"] <= said["height"] + 2


@pytest.mark.slow
def test_a_term_is_explained_by_a_key_and_escape_goes_back_to_it(watch: Watch, saved: Path) -> None:
    root = opened(watch.page, saved / "effect.html").root
    word = root.get_by_role("button", name="certified")
    note = word.locator("+ .ts-explained")
    assert not note.is_visible()
    word.focus()
    watch.page.keyboard.press("Enter")
    assert note.inner_text().startswith("No such change moves the curve")
    watch.page.keyboard.press("Escape")
    assert not note.is_visible()
    assert word.evaluate("(word) => word === document.activeElement")
    word.click()
    box, width = note.bounding_box(), watch.page.viewport_size
    assert box is not None
    assert width is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width["width"]
