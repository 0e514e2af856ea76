"""Copy ▸ Sentence in every tab of a saved page: its population is that of its numbers."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from browser.watch import Watch
from browser.workspace import open_saved
from tauscope.results.formatting import fixed

TABS = ["effect", "boundary", "pooled", "rules", "table", "thresholds", "calibration", "worst_case"]
OF_ROWS_AS_TESTED = {"boundary", "rules", "worst_case"}
"""Views whose numbers are not of the population that the sliders make."""
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
CLIPBOARD = """
    const writeText = async (text) => { window.copied = text; };
    Object.defineProperty(navigator, "clipboard", { value: { writeText } });
"""


@pytest.fixture(scope="module")
def study() -> ts.Study:
    random = np.random.default_rng(3)
    X = pd.DataFrame({"age": random.normal(45, 12, 160), "hours": random.normal(40, 8, 160)})
    y = np.where(0.08 * (X["age"] - 45) + 0.05 * (X["hours"] - 40) + random.normal(size=160) > 0, "yes", "no")
    return ts.Study(LogisticRegression().fit(X, y), X, y, progress=False)


@pytest.fixture(scope="module")
def saved(study: ts.Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("copied") / "page.html"
    study.save(path, TABS, row=3, stress={"taus": {"age": 0.3}, "hold": "none"})
    return path


def copied(page: Page, tab: str) -> str:
    """Open a tab and copy its sentence."""
    page.get_by_test_id(tab).click()
    page.evaluate("window.copied = ''")
    page.get_by_role("button", name="Copy").click()
    page.get_by_test_id("copy-sentence").click()
    page.wait_for_function("window.copied !== ''")
    return page.evaluate("window.copied")


@pytest.mark.slow
def test_a_sentence_takes_the_population_of_its_numbers(watch: Watch, study: ts.Study, saved: Path) -> None:
    page = watch.page
    page.add_init_script(CLIPBOARD)
    open_saved(watch, saved, 1280, "light")
    there = study.reweight(ts.Mean("age", tau=0.3))
    tabs = page.locator("[role=tab]:visible").evaluate_all("(tabs) => tabs.map((tab) => tab.dataset.testid)")
    assert len(tabs) == len(TABS) + 1
    for tab in tabs:
        said, view = copied(page, tab), tab.removeprefix("tab-")
        before, *_ = there.population.split(";")
        assert (before.lower() in said.lower()) == (view not in OF_ROWS_AS_TESTED), said
        panel = page.locator("[role=tabpanel]:visible").last
        words = page.locator(".ts-workspace").inner_text() + panel.inner_html()
        assert [number for number in NUMBER.findall(said) if number not in words] == []
        if view == "metrics":
            portion = there.metrics.set_index("metric")["value"]["portion_yes"]
            assert f"{fixed(100 * portion, 1)} %" in said
    page.get_by_role("button", name="Reset").click()
    for tab in tabs:
        said = copied(page, tab)
        assert "age" not in said.split(". ")[0]
        assert "(was" not in said or "need a kernel here. Shown for" in said
