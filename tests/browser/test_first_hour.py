"""A credit analyst's five questions answered by hand in saved pages: there is read what a line of code gives."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from analyst import answer, study
from browser.effect_widget import EffectWidget
from browser.joint import JointWidget
from browser.watch import Watch
from browser.widget import PaintedWidget, says

MOVABLE = ["age", "education-num", "hours-per-week", "sex"]
HARM = ".ts-stress-harm[data-ready='1']"
METRICS = ("error_rate", "portion_>50K")
LABELS = {"error_rate": "Error rate", "portion_>50K": "Share predicted >50K"}


def open_page(watch: Watch, result: Any, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    result.save(path)
    watch.page.goto(path.as_uri())


def type_mean(widget: JointWidget, feature: str, typed: str) -> None:
    """Type a mean into the box beside a slider, with real keys."""
    before = widget.revision()
    widget.root.get_by_label(f"mean of {feature}", exact=True).click()
    widget.page.keyboard.press("Control+A")
    widget.page.keyboard.type(typed)
    widget.page.keyboard.press("Enter")
    widget.wait_for_paint(before)


def as_tau(joint: Any, **shifts: float) -> Any:
    """Return the metrics of the τ that a page makes of shifts, whose intervals are those of τ."""
    means = joint.frame.set_index("feature")
    taus = {name: by / (means["high"][name] - means["mean"][name]) for name, by in shifts.items()}
    return joint.at(taus).metrics.set_index("metric")


def check_metrics(widget: JointWidget, table: Any, intervals: Any) -> None:
    """Check each metric, chosen by its picker: before, now, interval and change."""
    for name in METRICS:
        line = table.set_index("metric").loc[name]
        if widget.picked("metric") != name:
            widget.choose("metric", name)
        assert says(widget.text("baseline"), line["before"])
        assert says(widget.text("value"), line["value"])
        ends = intervals.loc[name]
        assert says(widget.text("interval"), ends["lower"], ends["upper"], share=True)
        assert says(widget.text("change").replace("points", "%"), line["value"] - line["before"])


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 320)])
def test_older_then_better_educated_people(
    watch: Watch, tmp_path: Path, picture: Callable[[str], object], scheme: Any, width: int
) -> None:
    watch.page.emulate_media(color_scheme=scheme)
    watch.page.set_viewport_size({"width": width, "height": 900})
    joint = study().joint_stress(MOVABLE)
    open_page(watch, joint, tmp_path)
    widget = JointWidget(watch.page)
    type_mean(widget, "age", "+5")
    assert "age 43.8 on average (was 38.8)" in widget.text("population")
    check_metrics(widget, answer("older"), as_tau(joint, age=5))
    picture(f"first-hour-older-{scheme}")
    type_mean(widget, "education-num", "+1")
    check_metrics(widget, answer("together"), as_tau(joint, **{"age": 5, "education-num": 1}))
    picture(f"first-hour-together-{scheme}")
    assert widget.collisions() == []
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width


def check_groups(widget: JointWidget, table: Any, intervals: Any) -> None:
    """Check each group's line: its shares and effective rows, and of each metric before, now and interval."""
    lines = table.set_index(["group", "metric"])
    ends = intervals.set_index(["group", "metric"])
    for group in table["group"].unique():
        heading = widget.page.get_by_role("rowheader", name=re.compile(f"^{group} "))
        line = widget.at("groups").get_by_role("row").filter(has=heading)
        own = lines.loc[group].iloc[0]
        _, shares, effective = line.get_by_role("rowheader").inner_text().splitlines()
        assert says(shares.replace("of rows", ""), own["share_before"], own["share"])
        assert says(effective, own["ess"], own["n_rows"])
        for name in METRICS:
            place = widget.at("groups").get_by_role("columnheader").all_inner_texts().index(LABELS[name])
            now, interval, *trust = line.get_by_role("cell").nth(place - 1).inner_text().split("\n")
            assert says(now, lines.loc[(group, name), "before"], lines.loc[(group, name), "value"])
            assert says(interval, *ends.loc[(group, name), ["lower", "upper"]], share=True)
            assert ("".join(trust) or "reliable") == ends.loc[(group, name), "reliability"]


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 320)])
def test_older_people_by_sex_and_by_race(
    watch: Watch, tmp_path: Path, picture: Callable[[str], object], scheme: Any, width: int
) -> None:
    watch.page.emulate_media(color_scheme=scheme)
    watch.page.set_viewport_size({"width": width, "height": 900})
    joint = study().joint_stress([*MOVABLE, "race"])
    open_page(watch, joint, tmp_path)
    widget = JointWidget(watch.page)
    type_mean(widget, "age", "+5")
    means = joint.frame.set_index("feature").loc["age"]
    older = study().reweight(ts.Mean("age", tau=5 / (means["high"] - means["mean"])))
    by_race = study().reweight(ts.Mean("age", shift=5)).by("race")
    for column, by in (("sex", answer("by sex")), ("race", by_race)):
        widget.press_on(widget.at("by"), "ArrowDown")
        widget.at("groups").get_by_role("rowheader", name=by.groups[0].label).wait_for()
        check_groups(widget, by.frame, older.by(column).frame)
        widget.at("groups").scroll_into_view_if_needed()
        picture(f"first-hour-by-{column}-{scheme}")
        assert widget.collisions() == []
        assert watch.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_the_shift_that_harms_most(watch: Watch, tmp_path: Path, picture: Callable[[str], object]) -> None:
    harm = answer("harm")
    open_page(watch, harm, tmp_path)
    widget = PaintedWidget(watch.page, HARM)
    widget.press("shifts", "ArrowDown")
    first = harm.frame.iloc[0]
    assert first["feature"] in widget.root.get_by_role("option", selected=True).inner_text().replace("\n", "")
    assert says(widget.text("change").replace("points", "%"), first["change"])
    assert says(widget.text("interval").replace("points", "%"), first["lower"], first["upper"])
    assert says(widget.text("value"), first["before"], first["value"])
    assert widget.text("trust").startswith("Reliable")
    picture("first-hour-harm")


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 320)])
def test_how_far_the_curve_of_hours_can_be_trusted(
    watch: Watch, tmp_path: Path, picture: Callable[[str], object], scheme: Any, width: int
) -> None:
    watch.page.emulate_media(color_scheme=scheme)
    watch.page.set_viewport_size({"width": width, "height": 900})
    effect = study().effect("hours-per-week")
    open_page(watch, effect, tmp_path)
    widget = EffectWidget(watch.page)
    sentence = repr(answer("trust")).partition(": ")[2].splitlines()[0]
    assert sentence.removeprefix("the ") in widget.text("breakdown").replace("\u2060", "")
    widget.press("epsilon", "ArrowRight", times=10)
    expected = effect.bounds(0.2).frame.iloc[-1]
    reading = widget.read_off("End")
    assert says(reading.partition(": ")[2], expected["effect"])
    certified = reading.partition("certified ")[2]
    assert says(certified, expected["certified_lower"], expected["certified_upper"], share=True)
    picture(f"first-hour-trust-{scheme}")
    assert widget.collisions() == []
    assert watch.page.evaluate("document.documentElement.scrollWidth") <= width
