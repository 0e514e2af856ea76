"""A notebook open in JupyterLab under headless Chromium, with the server and browser of tests/browser."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
WAIT_MS = 60_000
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
KERNEL_IS = """(status) =>
  window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === status"""
RUN_CELL = """(index) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = index;
  notebook.deselectAll();
  void window.jupyterapp.commands.execute("notebook:run-cell");
  return performance.now();
}"""


class Notebook:
    """The open notebook: its page, and the two things the benchmark does to it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def start_cell(self, index: int) -> float:
        """Run a cell; the page's clock (ms) just after the command, without waiting for the kernel."""
        return self.page.evaluate(RUN_CELL, index)

    def wait_kernel(self, status: str) -> None:
        """Wait until the kernel says that it is "idle" or "busy"."""
        self.page.wait_for_function(KERNEL_IS, arg=status, timeout=WAIT_MS)

    def run_cell(self, index: int) -> None:
        """Run a cell and wait for its execution number."""
        before = self._count(index)
        self.start_cell(index)
        self.page.wait_for_function(
            "([index, before]) => window.jupyterapp.shell.currentWidget.content.widgets[index]"
            ".model.executionCount !== before && true",
            arg=[index, before],
            timeout=WAIT_MS,
        )
        self.wait_kernel("idle")

    def output(self, index: int) -> str:
        """Text that a cell printed."""
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea").inner_text()

    def interrupt(self) -> None:
        """Stop the running cell."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:interrupt-kernel')")
        self.wait_kernel("idle")

    def _count(self, index: int) -> int | None:
        cell = "window.jupyterapp.shell.currentWidget.content.widgets"
        return self.page.evaluate(f"(index) => {cell}[index].model.executionCount", index)


@contextmanager
def open_notebook(cells: list[str], script: Path) -> Iterator[Notebook]:
    """Start server, browser and kernel for a notebook of `cells`; `script` runs first in the page."""
    sys.path.insert(0, str(ROOT / "tests" / "browser"))
    import chromium
    import nbformat
    import server
    from playwright.sync_api import sync_playwright

    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    )
    with tempfile.TemporaryDirectory() as folder:
        root, own = Path(folder) / "notebooks", Path(folder) / "server"
        root.mkdir()
        own.mkdir()
        nbformat.write(notebook, root / "bench.ipynb")
        with server.lab(root, own) as lab, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(ARGUMENTS))
            page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
            page.add_init_script(path=script)
            page.goto(f"{lab.base}/lab/tree/bench.ipynb?reset")
            page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=WAIT_MS)
            opened = Notebook(page)
            opened.wait_kernel("idle")
            yield opened
            browser.close()
