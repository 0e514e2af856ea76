"""A report on paper: whole, of several pages, without a request; and in a narrow column."""

from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.watch import Watch

PAPERS = {"A4": (673, 986), "Letter": (695, 918)}
"""Pixels within the margins of the report's own style sheet."""
CUT = """
() => [...document.querySelectorAll("main *")].filter((element) => {
  const box = element.getBoundingClientRect();
  return element.checkVisibility() && (box.right > innerWidth + 1 || box.left < -1 ||
    (getComputedStyle(element).overflowY !== "visible" && element.scrollHeight > element.clientHeight + 1));
}).map((element) => element.outerHTML.slice(0, 80))
"""
# Never parted, and taller than a page.
TALLER = """
(height) => [...document.querySelectorAll("figure, img, tr, li, dd, .note")]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height > height)
  .map((element) => element.outerHTML.slice(0, 80))
"""
PAINTED = "() => [...document.images].every((image) => image.complete && image.naturalWidth > 100)"


@pytest.mark.slow
def test_a_report_is_printed_whole(watch: Watch, names: dict[str, Any], tmp_path: Path) -> None:
    path, page = tmp_path / "report.html", watch.page
    scenario = ts.Scenario("larger", {"mean radius": 0.2})
    names["study"].report(path, scenarios=[scenario], features=["mean radius"], row=5, purpose="Ünïcode & <b>bold</b>")
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(path.as_uri())
    assert page.evaluate(PAINTED)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.get_by_text("Ünïcode & <b>bold</b>").first.is_visible()
    heads = page.locator("h2")
    assert all(head.is_visible() for head in heads.all())
    for paper, (width, height) in PAPERS.items():
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(CUT) == []
        assert page.evaluate(TALLER, height) == []
        printed = page.pdf(format=paper)
        assert printed.count(b"/Type /Page\n") >= heads.count()
    assert page.locator("script").count() == 0
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert watch.requests == [path.as_uri()]
