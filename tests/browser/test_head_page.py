"""The head of a saved workspace, without a kernel: scenarios kept, compared, and taken to Python and back."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tauscope as ts
from browser.test_accessibility import findings
from browser.watch import Watch
from browser.widget import Widget, says

FEATURE = "mean compactness"
KEPT = ts.Scenario("denser", {FEATURE: 0.2})
SMALL = """
(root) => [...root.querySelectorAll(".ts-workspace-head :is(button, select, input)")]
  .filter((one) => one.checkVisibility())
  .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 24)
  .map((one) => one.dataset.testid)
"""


@pytest.fixture(scope="module")
def saved(names: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "audit.html"
    names["study"].save(path, feature=FEATURE, views=["effect"], scenarios=[KEPT])
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1240, "light"), (320, "dark")])
def test_scenarios_without_a_kernel(
    watch: Watch,
    saved: Path,
    names: dict[str, Any],
    tmp_path: Path,
    picture: Callable[[str], object],
    width: int,
    scheme: Any,
) -> None:
    study, page = names["study"], watch.page
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(saved.as_uri())
    head = Widget(page, ".ts-workspace[data-ready='1']")

    def choose(testid: str) -> None:
        head.at("scenario").press("Enter")
        head.at(testid).press("Enter")

    head.press("mean radius", "ArrowLeft", times=10)
    choose("scenario-keep")
    page.keyboard.type("smaller")
    page.keyboard.press("Enter")
    choose("scenario-compare")
    table = head.at("scenario-table")
    compared = study.compare_scenarios([KEPT, ts.Scenario("smaller", {"mean radius": -0.1})])
    cells = table.locator("tbody tr").first.locator("td").all_inner_texts()
    rows = compared.frame[compared.frame["metric"] == compared.metrics[0].name]
    for cell, (_, row) in zip(cells, rows.iterrows(), strict=True):
        value, interval = cell.split("\n")[:2]
        assert says(value, row["value"])
        assert says(interval, row["lower"], row["upper"], share=True)
    effective = table.locator("tbody tr").last.locator("td").all_inner_texts()
    assert all(says(shown, ess) for shown, ess in zip(effective, rows["ess"], strict=True))
    picture(f"workspace-head-compare-{width}")
    assert findings(page) == []
    assert head.root.evaluate(SMALL) == []
    page.keyboard.press("Escape")

    with page.expect_download() as told:
        choose("scenario-export")
    told.value.save_as(tmp_path / "exported.json")
    loaded = study.load_scenarios(tmp_path / "exported.json")
    assert [one.name for one in loaded] == ["denser", "smaller"]
    study.save_scenarios(tmp_path / "saved.json", loaded)
    ours, theirs = (json.loads((tmp_path / name).read_text("utf-8")) for name in ("exported.json", "saved.json"))
    for one, other in zip(ours.pop("scenarios"), theirs.pop("scenarios"), strict=True):
        for feature, mean in other.pop("means").items():
            assert one["means"][feature] == pytest.approx(mean)
        assert {name: one[name] for name in other} == other
    assert {**ours, "saved": ""} == {**theirs, "saved": ""}

    half = study.where([row % 2 == 0 for row in range(study.n_rows)])
    half.save_scenarios(tmp_path / "other.json", [KEPT])
    study.save_scenarios(tmp_path / "mine.json", [ts.Scenario("larger", {"mean radius": 0.4})])
    chooser = head.at("scenario-file")
    chooser.set_input_files(tmp_path / "other.json")
    head.wait_for_text("said", "of other data (hash ")
    chooser.set_input_files(tmp_path / "mine.json")
    head.wait_for_text("said", "Loaded 1 scenario from mine.json.")
    head.at("copy").press("Enter")
    picture(f"workspace-head-copy-{width}")
    assert head.at("copy-python").get_attribute("aria-disabled") == "true"
    assert findings(page) == []
    assert head.root.evaluate("(root) => root.scrollWidth - root.clientWidth") <= 0
    page.keyboard.press("Escape")
    choose("scenario-apply-2")
    assert says(head.at("ess").first.inner_text(), study.reweight(ts.Mean("mean radius", tau=0.4)).ess)
    assert watch.requests == [saved.as_uri()]
