"""The head of the workspace in Voila: every entry of its menus, with a kernel that no visitor sees."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

import tauscope as ts
from browser import workspace
from browser.server import Server, in_voila
from browser.watch import Watch
from browser.widget import Widget, says

FEATURE = "mean compactness"
KEPT = ts.Scenario("denser", {FEATURE: 0.1})


def test_all_of_it_can_be_used(
    watch: Watch,
    voila: Server,
    names: dict[str, Any],
    tmp_path: Path,
    picture: Callable[[str], object],
) -> None:
    study, page = names["study"], watch.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.set_viewport_size({"width": 1600, "height": 900})
    page.goto(in_voila(voila, workspace.IN_VOILA))
    head = Widget(page, workspace.READY)
    portion = study.joint_stress().at(KEPT.taus).metrics.set_index("metric").loc["portion_1"]

    def choose(menu: str, entry: str, said: str = "") -> None:
        head.at(menu).press("Enter")
        head.at(entry).press("Enter")
        if said:
            head.wait_for_text("said", said)

    def copied(what: str, said: str) -> str:
        choose("copy", f"copy-{what}", said)
        return page.evaluate("() => navigator.clipboard.readText()")

    head.press(FEATURE, "ArrowRight", times=10)
    choose("scenario", "scenario-keep")
    page.keyboard.type("denser")
    page.keyboard.press("Enter")
    head.wait_for_text("said", "Kept “denser”.")
    head.at("undo").press("Enter")
    expect(head.at("population").first).to_contain_text("the data as they are")
    head.at("redo").press("Enter")
    expect(head.at("population-name").first).to_contain_text("denser")

    number = copied("sentence", "Copied the sentence.").partition("Share predicted 1 ")[2]
    assert says(number, portion["value"])
    assert copied("table", "Copied the table.").startswith("metric\tas tested\tlower")
    code: dict[str, Any] = {"study": study, "ts": ts}
    exec("shown = " + copied("python", "Copied the code.").removeprefix("import tauscope as ts").strip(), code)
    assert says(number, code["shown"].metrics.set_index("metric").loc["portion_1", "value"])

    choose("scenario", "scenario-compare")
    cells = head.at("scenario-table").locator("tbody tr").first.locator("td").all_inner_texts()
    assert says(cells[1], portion["value"])
    picture("workspace-voila-compare")
    page.keyboard.press("Escape")
    with page.expect_download() as told:
        choose("scenario", "scenario-export")
    told.value.save_as(tmp_path / "scenarios.json")
    assert list(study.load_scenarios(tmp_path / "scenarios.json")) == [KEPT]
    study.save_scenarios(tmp_path / "mine.json", [ts.Scenario("larger", {"mean radius": 0.4})])
    with page.expect_file_chooser() as asked:
        choose("scenario", "scenario-import")
    asked.value.set_files(tmp_path / "mine.json")
    head.wait_for_text("said", "Loaded 1 scenario from mine.json.")
    choose("scenario", "scenario-apply-1")
    expect(head.at("population-name").first).to_contain_text("larger")

    with page.expect_download() as told:
        head.at("save-page").press("Enter")
    told.value.save_as(tmp_path / "audit.html")
    head.wait_for_text("said", "Saved audit.html.")
    # beside Voila's page, whose end would be told to the server, which logs that as an error
    other = page.context.new_page()
    other.goto((tmp_path / "audit.html").as_uri())
    saved = Widget(other, workspace.READY)
    expect(saved.at("population-name").first).to_contain_text("larger")
    saved.at("scenario").press("Enter")
    expect(saved.at("scenario-apply-0")).to_have_text("denser")
