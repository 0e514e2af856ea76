"""Saved rules, opened from the disk: sets are chosen and edges moved without a kernel, counted as Python counts."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from browser.watch import Watch
from browser.widget import PaintedWidget, says
from tauscope.results.rules.rules import Rules
from tauscope.rules.rule import count_rule
from wire.write_rules import found, found_value

WIDE, NARROWEST = 1200, 390
ROW = 3
READY = ".ts-rules[data-ready='1']"


@pytest.fixture(scope="module")
def result() -> Rules:
    return found(ROW)


@pytest.fixture(scope="module")
def saved(result: Rules, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two rules, with a level whose name would be markup."""
    path = tmp_path_factory.mktemp("saved") / "rules.html"
    result.save(path)
    return path


def open_page(watch: Watch, saved: Path) -> PaintedWidget:
    watch.page.goto(saved.as_uri())
    return PaintedWidget(watch.page, READY)


def expected(result: Rules, lower: float) -> dict[str, float]:
    """Count the first rule with another lower end of its first feature."""
    rows, conditions = result.rows, result[0].conditions
    inside = np.ones(len(rows.agrees), dtype=bool)
    for place, (condition, values) in enumerate(zip(conditions, rows.values[0].T, strict=True)):
        low = lower if place == 0 else condition.lower
        inside &= np.where(np.isnan(values), condition.missing, (values > low) & (values <= condition.upper))
    n = rows.n_training
    counts = count_rule(inside[n:], rows.agrees[n:], np.ones(len(inside) - n))
    least = min(float(rows.sdp[0][inside[:n]].min()), result[0].sdp)
    return {"least": least, "coverage": counts.coverage, "precision": counts.precision}


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROWEST, "dark")])
def test_edges_are_moved_and_counted_alone(
    watch: Watch, saved: Path, result: Rules, picture: Callable[[str], object], width: int, scheme: str
) -> None:
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 1000})
    widget = open_page(watch, saved)
    assert widget.text("headline") == "If age from 40 to 57 and slope ≤ 0.7: predicted no."
    grown = widget.text("coverage")
    assert says(grown, result[0].coverage)
    widget.press_on(widget.at("lower").first, "ArrowLeft", times=8)
    assert "age from 32 to 57" in widget.text("headline")
    for name, value in expected(result, 31).items():
        assert says(widget.text(name), value), name
    assert widget.text("coverage") != grown
    assert widget.text("proof").startswith("Of the rule as grown; not of what you moved.")
    picture(f"rules-page-{scheme}-{width}")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    widget.press("back", "Enter")
    assert widget.text("coverage") == grown
    assert watch.requests == [saved.as_uri()]


def test_an_edge_is_dragged(watch: Watch, saved: Path) -> None:
    widget = open_page(watch, saved)
    box = widget.at("upper").first.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2

    def at(age: float) -> float:
        return box["x"] + 7.5 + (box["width"] - 15) * (age - 20) / 40

    def thumb(edge: str) -> float:
        return at(20 + float(widget.at(edge).first.input_value()) / 25)  # of 1000 steps over 40 years

    watch.page.mouse.move(thumb("upper"), middle)
    watch.page.mouse.down()
    watch.page.mouse.move(at(50.1), middle, steps=6)
    watch.page.mouse.up()
    assert "age from 40 to 50" in widget.text("headline")
    before = widget.revision()
    watch.page.mouse.move(thumb("lower"), middle)
    watch.page.mouse.down()
    watch.page.mouse.move(at(30.1), middle, steps=6)
    watch.page.mouse.up()
    widget.wait_for_paint(before)
    assert "age from 31 to 50" in widget.text("headline")


def test_sets_are_chosen(watch: Watch, saved: Path) -> None:
    widget = open_page(watch, saved)
    chips = widget.at("sets").get_by_role("radio")
    assert chips.all_inner_texts() == ["age + slope", "<b>level</b> + slope"]
    widget.press_on(chips.first, "ArrowRight")
    assert chips.nth(1).get_attribute("aria-checked") == "true"
    assert widget.text("headline").startswith("If <b>level</b> is high and slope")
    widget.press_on(widget.at("level").filter(has_text="low"), "Space")
    assert "low" in widget.text("headline")
    assert "level" not in widget.root.locator("b").all_inner_texts()


def test_what_needs_a_kernel_is_off(watch: Watch, saved: Path) -> None:
    widget = open_page(watch, saved)
    assert all(widget.at(name).is_disabled() for name in ("row", "pi", "pi-slider", "next", "previous"))
    assert "has no kernel" in widget.text("offline")


def test_the_sets_tried_are_walked_through(watch: Watch, saved: Path, result: Rules) -> None:
    widget = open_page(watch, saved)
    numbers = result.explanation._numbers
    assert f"{len(numbers.subsets)} of 15 sets were tried" in widget.text("tried")
    strip = widget.at("strip")
    strip.focus()
    watch.page.keyboard.press("ArrowLeft")
    assert widget.text("pointed").startswith("<b>level</b> + slope: 94.2 %")
    widget.press("strip", "Enter")
    assert widget.text("headline").startswith("If <b>level</b> is high and slope")
    own = widget.root.locator(".ts-set-dot.ts-has-rule:not(.ts-is-shown)")
    before = widget.revision()
    own.click()
    widget.wait_for_paint(before)
    assert widget.text("headline").startswith("If age from 40")
    strip.hover(position={"x": 2, "y": 2})
    assert widget.text("pointed").startswith("age + slope")


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "dark"), (NARROWEST, "light")])
def test_values_have_a_span(
    watch: Watch, tmp_path: Path, picture: Callable[[str], object], width: int, scheme: str
) -> None:
    values = found_value(ROW)
    values.save(tmp_path / "values.html")
    watch.page.emulate_media(color_scheme=scheme)  # pyright: ignore[reportArgumentType]
    watch.page.set_viewport_size({"width": width, "height": 1000})
    widget = open_page(watch, tmp_path / "values.html")
    one = values.distributions[0]
    assert says(widget.text("spread"), one.sdp)
    band, plot = (widget.root.locator(name).bounding_box() for name in (".ts-cdf-band", ".ts-cdf-plot"))
    assert band is not None
    assert plot is not None
    assert band["width"] / plot["width"] == pytest.approx((one.high - one.low) / (one.highest - one.lowest), abs=0.01)
    assert all(widget.at(name).is_disabled() for name in ("t", "t-slider"))
    picture(f"rules-values-{scheme}-{width}")
    assert widget.collisions() == []
    assert widget.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
