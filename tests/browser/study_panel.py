"""The panel in JupyterLab's right sidebar: what it says, its buttons, and the study that it shows."""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Locator, Page, expect

from browser import lab as in_lab, notebooks
from browser.study import SOURCE

FEATURE = "mean area"
SLIDER = f"input[type=range][data-feature={FEATURE!r}]"
OPEN = "tauscope:open-panel"
SECONDS = 40_000


def write_notebook(folder: Path, name: str, *sources: str) -> Path:
    """Write a notebook of code; without sources, one that fits a model and has no study yet."""
    path = folder / name
    cells = [new_code_cell(source) for source in sources or (SOURCE,)]
    nbformat.write(new_notebook(cells=cells, metadata=notebooks.PYTHON), path)
    return path


class StudyPanel:
    """The panel of a page in which JupyterLab runs; opened by its command."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator("#tauscope-panel")
        in_lab.execute(page, OPEN)
        self.root.wait_for()

    def at(self, testid: str) -> Locator:
        """Return a part by its test id."""
        return self.root.get_by_test_id(f"lab-{testid}")

    def expect_words(self, words: str) -> None:
        """Wait until the panel says some words."""
        expect(self.at("status")).to_contain_text(words, timeout=SECONDS)

    def press(self, testid: str) -> None:
        """Press a button by its key, as a person without a mouse does."""
        expect(self.at(testid)).to_be_visible(timeout=SECONDS)
        self.at(testid).press("Enter")

    def make_study(self) -> None:
        """Make a study of what the form suggests, and wait until it is listed."""
        self.expect_words("No study yet.")
        self.at("form").locator("summary").press("Enter")
        self.press("run")
        expect(self.at("open").first).to_contain_text("study", timeout=SECONDS)

    def slider(self) -> Locator:
        """Return the slider of `FEATURE` in the panel."""
        return self.root.locator(SLIDER).locator("visible=true").first

    def slider_in_cell(self) -> Locator:
        """Return the same slider in the notebook."""
        return self.page.locator(f".jp-NotebookPanel:not(.lm-mod-hidden) {SLIDER}").first

    def overflow(self) -> float:
        """Return by how many pixels something is wider than the panel."""
        return self.root.evaluate("(root) => root.scrollWidth - root.clientWidth")
