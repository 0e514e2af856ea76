"""Every view's saved page, and the workspace's with each of its tabs, as axe-core judges them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from browser.watch import Watch
from browser.widget import Widget

AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """
async (inside) => (await axe.run(inside || document, { resultTypes: ["violations"] })).violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact))
  .flatMap(({ id, nodes }) => nodes.map(({ html, any }) => [id, html.slice(0, 200), any[0]?.message ?? ""].join(" | ")))
"""
WIDTHS = (1240, 320)
SCHEMES = ("light", "dark")
TABS = ("curves", "metrics", "effect", "boundary", "pooled", "rules", "table")
VIEWS: dict[str, Callable[[Any], Any]] = {
    "curves": lambda study: study.stress_curves(),
    "joint": lambda study: study.joint_stress(),
    "surface": lambda study: study.stress_surface("mean radius", "mean texture", taus=5),
    "harm": lambda study: study.stress_curves().harm("error_rate"),
    "calibration": lambda study: study.calibration(n_bins=5, by="size"),
    "worst": lambda study: study.worst_case("error_rate", within={"kl": 0.1}, features=["mean radius", "mean texture"]),
    "thresholds": lambda study: study.threshold_curves(by="size", cost={"fp": 1, "fn": 5}),
    "towards": lambda study: study.towards(study.X[100:300], study.y[100:300]),
    "effect": lambda study: study.effect("mean radius", grid=30),
    "boundary": lambda study: study.boundary(0, random_state=0),
    "pooled": lambda study: study.pooled_boundary(range(20), random_state=0, n_samples=200),
    "rules": lambda study: study.rules(0),
    "table": lambda study: study.table(),
}


def findings(page: Page, inside: str = "") -> list[str]:
    """What axe-core finds that keeps somebody from using a page, or what is inside an element: rule and reason."""
    page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate(RUN, inside)


def open_page(page: Page, path: Path, scheme: Any, width: int) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(path.as_uri())


@pytest.mark.parametrize("view", VIEWS)
def test_a_saved_view_is_accessible(watch: Watch, names: dict[str, Any], tmp_path: Path, view: str) -> None:
    VIEWS[view](names["study"]).save(tmp_path / "page.html")
    for scheme in SCHEMES:
        for width in WIDTHS:
            open_page(watch.page, tmp_path / "page.html", scheme, width)
            watch.page.locator(".tauscope[data-ready='1']").wait_for()
            assert (scheme, width, findings(watch.page)) == (scheme, width, [])


@pytest.mark.slow
def test_a_report_and_a_page_without_rows_are_accessible(watch: Watch, names: dict[str, Any], tmp_path: Path) -> None:
    names["study"].report(tmp_path / "report.html", features=["mean radius"], row=0)
    names["study"].save(tmp_path / "outside.html", rows="none", feature="mean radius")
    for name in ("report", "outside"):
        for scheme, width in (("dark", WIDTHS[0]), ("light", WIDTHS[1])):
            open_page(watch.page, tmp_path / f"{name}.html", scheme, width)
            assert (name, scheme, findings(watch.page)) == (name, scheme, [])


def test_what_nobody_could_use_is_found(page: Page) -> None:
    page.set_content("<main><h1>A page</h1><button></button></main>")
    rules = {finding.split(" | ")[0] for finding in findings(page)}
    assert rules == {"document-title", "html-has-lang", "button-name"}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_saved_workspace_is_accessible(watch: Watch, saved: Path, scheme: str, width: int) -> None:
    open_page(watch.page, saved, scheme, width)
    workspace = Widget(watch.page, ".ts-workspace[data-ready='1']")
    for name in TABS:
        tab = workspace.at(f"tab-{name}")
        if tab.is_visible():
            tab.press("Enter")
            workspace.at(f"panel-{name}").locator(".tauscope").first.wait_for()
            assert (name, findings(watch.page)) == (name, [])


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved workspace, all views in it."""
    path = tmp_path_factory.mktemp("saved") / "audit.html"
    names["study"].save(path, views=["effect", "boundary", "pooled", "rules", "table"])
    return path
