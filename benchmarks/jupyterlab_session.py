"""A notebook open in JupyterLab under headless Chromium, with the server and the page driver of the tests."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

OPTIONS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
NAME = "bench.ipynb"


def press(page: Any, key: str, times: int, shown: Any) -> None:
    """Press a key of what has the focus, each time after the widget `shown` painted the press before.

    Pauses between one and three frames set the presses free of the frames: sent at once after a painted frame, each
    would come at the same place within a frame, and wait for its end whatever there is to do in it.

    The key is held until then, as under a finger, which takes longer than a frame. Let go at once, it would be a second
    input before the page hears that the first was painted: browsers put that message off until the frame after.
    """
    pauses = Random(0)
    for _ in range(times):
        page.wait_for_timeout(pauses.uniform(17, 51))
        page.evaluate("(shown) => { window.painted = latencyProbe.nextPaint(shown); }", shown)
        page.keyboard.down(key)
        page.evaluate("() => window.painted")
        page.keyboard.up(key)


@contextmanager
def open_notebook(cells: list[str], script: Path) -> Iterator[Any]:
    """Start server, browser and kernel for a notebook of `cells`; yields its Playwright page.

    Parameters
    ----------
    cells : list of str
        Sources of the code cells.
    script : Path
        JavaScript that the page runs before anything else.
    """
    import nbformat
    from playwright.sync_api import sync_playwright

    from browser import chromium, lab, notebooks, server

    code = [nbformat.v4.new_code_cell(source) for source in cells]
    notebook = nbformat.v4.new_notebook(cells=code, metadata=notebooks.PYTHON)
    with tempfile.TemporaryDirectory() as folder:
        root, own = Path(folder) / "notebooks", Path(folder) / "server"
        root.mkdir()
        own.mkdir()
        nbformat.write(notebook, root / NAME)
        with server.lab(root, own) as started, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(OPTIONS))
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.add_init_script(path=script)
            lab.open_notebook(page, started, NAME)
            yield page
            browser.close()
