"""A page written by `save`, opened from the disk: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.watch import Watch
from browser.widget import Widget, says

TAU = 0.24


def test_saved_page_answers_alone(
    watch: Watch, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "curves.html"
    names["curves"].save(path)
    watch.page.goto(path.as_uri())
    widget = Widget(watch.page)
    widget.choose("metric", "error_rate")
    widget.press("mean area", "ArrowRight", times=12)
    frame = names["curves"].at([TAU]).frame
    chosen = (frame["feature"] == "mean area") & (frame["metric"] == "error_rate") & (frame["tau"] == TAU)
    expected = frame[chosen].iloc[0]
    assert widget.slider("mean area").input_value() == pytest.approx(str(TAU))
    assert says(widget.text("value"), expected["value"])
    assert says(widget.text("interval"), expected["lower"], expected["upper"], share=True)
    picture("saved-page")
    assert watch.requests == [path.as_uri()]


def test_groups_are_picked_and_moved_with_keys(
    watch: Watch, names: dict[str, Any], tmp_path: Path, picture: Callable[[str], object]
) -> None:
    path = tmp_path / "groups.html"
    curves = names["curves"]
    curves.save(path, by="size", feature="mean texture", metric="error_rate")
    watch.page.goto(path.as_uri())
    widget = Widget(watch.page)
    widget.press("mean texture", "ArrowRight", times=15)
    by_size = {within: curves.at([0.3]).by("size", within=within) for within in (False, True)}

    def says_groups(within: bool) -> bool:
        found = by_size[within]
        at = f"feature == 'mean texture' and metric == 'error_rate' and tau == {0.3}"
        rows, gap = found.frame.query(at), found.gaps.query(at).iloc[0]
        lines = widget.at("groups").locator("tbody tr td").all_inner_texts()
        now = [line.split("→")[1].splitlines()[0] for line in lines]
        said = widget.at("gap").locator("b").all_inner_texts()
        apart = says(said[0], gap["gap"], share=True) and says(said[1], gap["ratio"]) and said[2] == gap["worst"]
        return apart and all(says(line, value) for line, value in zip(now, rows["value"], strict=True))

    assert says_groups(within=False)
    assert "marginal shift" in widget.text("group-note")
    picture("groups-page")
    before = widget.revision()
    widget.at("shift").focus()
    watch.page.keyboard.press("ArrowDown")
    widget.wait_for_paint(before)
    assert "shift within groups" in widget.text("group-note")
    assert says_groups(within=True)
    before = widget.revision()
    widget.at("by").focus()
    watch.page.keyboard.press("ArrowUp")
    widget.wait_for_paint(before)
    assert not widget.at("groups").is_visible()
    assert watch.requests == [path.as_uri()]
