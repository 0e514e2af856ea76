"""Thresholds in a saved page, moved with real keys: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.watch import Watch
from browser.widget import PaintedWidget, says

READY = ".ts-thresholds[data-ready='1']"
NARROW = 320


@pytest.fixture(scope="module")
def curves(names: dict[str, Any]) -> ts.ThresholdCurves:
    """Larger tumours by their texture, a missed one five times as bad."""
    X, study = names["X"], names["study"]
    rough = (X["mean texture"] > 19).map({True: "rough", False: "smooth"})
    return study.threshold_curves(
        ts.Mean("mean radius", tau=0.2), by=rough, cost={"fp": 5, "fn": 1}, metrics=["error_rate", "recall"]
    )


def says_metric(widget: PaintedWidget, curves: ts.ThresholdCurves, group: str, threshold: float) -> bool:
    """Tell whether the recall of a group reads as Python has it at a threshold."""
    rows = curves.at(threshold)
    row = rows[(rows["group"] == group) & (rows["metric"] == "recall")].iloc[0]
    return says(widget.text(f"recall-{group}"), row["value"], row["lower"], row["upper"])


def test_a_saved_page_moves_with_keys_numbers_typed_and_to_the_best(
    watch: Watch, curves: ts.ThresholdCurves, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "thresholds.html"
    curves.save(path, metric="recall")
    watch.page.goto(path.as_uri())
    widget = PaintedWidget(watch.page, READY)
    at = curves.thresholds.tolist()
    now = at.index(0.5)
    assert says_metric(widget, curves, "rough", 0.5)
    picture("thresholds-light")
    slider = widget.root.locator("[data-testid=threshold]:visible")
    widget.press_on(slider, "ArrowLeft", times=3)
    assert says_metric(widget, curves, "smooth", at[now - 3])
    gaps: Any = curves.gaps.query("metric == 'recall'").set_index("threshold")
    gap: dict[str, float] = gaps.loc[at[now - 3]].to_dict()
    assert says(widget.at("gap").nth(1).inner_text(), gap["gap"], gap["gap_lower"], gap["gap_upper"], share=True)
    before = widget.revision()
    typed = widget.root.locator("[data-testid=typed]:visible")
    typed.fill("0.5")
    typed.press("Enter")
    widget.wait_for_paint(before)
    assert says_metric(widget, curves, "rough", 0.5)
    widget.press("each", "Space")
    for k, group in enumerate(("rough", "smooth")):
        widget.press_on(widget.root.locator("[data-testid=to-best]:visible").nth(k), "Enter")
        best = curves.best[(curves.best["group"] == group) & (curves.best["population"] == curves.population)]
        assert says_metric(widget, curves, group, best["threshold"].item())
    assert "no interval" in widget.at("gap").nth(1).inner_text()
    widget.choose("metric", "cost")
    assert "Diamond: least cost." in widget.text("legend")
    assert widget.collisions() == []
    assert watch.requests == [path.as_uri()]


def test_it_fits_a_narrow_dark_page(
    watch: Watch, curves: ts.ThresholdCurves, tmp_path: Path, picture: Callable[[str], object]
) -> None:
    curves.save(tmp_path / "thresholds.html", thresholds=[0.3, 0.6])
    watch.page.emulate_media(color_scheme="dark")
    watch.page.set_viewport_size({"width": NARROW, "height": 800})
    watch.page.goto((tmp_path / "thresholds.html").as_uri())
    widget = PaintedWidget(watch.page, READY)
    assert watch.page.evaluate("document.documentElement.scrollWidth") == NARROW
    sliders = widget.root.locator("[data-testid=threshold]:visible")
    assert sliders.count() == 2
    widget.press_on(sliders.nth(1), "PageDown")
    assert widget.collisions() == []
    picture("thresholds-dark-narrow")
