"""A page written by `save`, opened from the disk: no kernel, no server, no network."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
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


LONG = "highest completed level of education, as declared in the survey of households"


@pytest.fixture(scope="module")
def long_names(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of curves and of a workspace whose groups have long names, as has what tells them apart."""
    model, X = names["model"], names["X"].rename(columns={"size": LONG})
    short = {"a bound hundred, unbound and bounded": "small", "MIDDLING, BUT NOT FOR MANY": "medium", "wide": "large"}
    X[LONG] = X[LONG].map({level: name for name, level in short.items()})
    study = ts.Study(
        lambda frame: model.predict_proba(frame.rename(columns={LONG: "size"}).replace({"size": short})), X, names["y"]
    )
    folder = tmp_path_factory.mktemp("long")
    study.stress_curves("mean texture", taus=11).save(folder / "curves.html", by=LONG)
    study.save(folder / "workspace.html", by=LONG, views=[])
    return folder


@pytest.mark.parametrize(("width", "scheme"), [(1600, "light"), (800, "dark"), (320, "light"), (204, "dark")])
def test_long_names_of_groups_stay_inside(
    watch: Watch, long_names: Path, picture: Callable[[str], object], width: int, scheme: Any
) -> None:
    watch.page.emulate_media(color_scheme=scheme)
    watch.page.set_viewport_size({"width": width, "height": 900})
    watch.page.goto((long_names / "curves.html").as_uri())
    widget = Widget(watch.page)
    for metric in ("error_rate", "roc"):
        widget.choose("metric", metric)
        picture(f"long-names-{metric}-{width}")
        assert widget.collisions() == []
        assert watch.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    watch.page.goto((long_names / "workspace.html").as_uri())
    workspace = Widget(watch.page, ".ts-workspace[data-ready='1']")
    if workspace.at("tab-curves").is_visible():
        workspace.at("tab-curves").press("Enter")
    picture(f"long-names-workspace-{width}")
    chart = workspace.root.locator(".ts-plane").first.bounding_box()
    picker = workspace.at("by").first.bounding_box()
    assert chart is not None
    assert picker is not None
    assert picker["x"] + picker["width"] <= chart["x"] + chart["width"] + 1
    assert watch.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
