"""One browser, one JupyterLab and one Voila for all tests; a page that fails on noise and on other machines."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser import chromium, joint, maps, notebooks, server, study, waits, workspace
from browser.server import Server
from browser.watch import Watch

PICTURES = Path(__file__).parents[2] / "build" / "screenshots"

# Chromium will not sandbox root, nor in most containers; the pages are the project's own.
CHROMIUM_OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One headless Chromium."""
    expect.set_options(timeout=waits.MILLISECONDS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_OPTIONS)
        yield launched
        launched.close()


@pytest.fixture
def watch(browser: Browser) -> Iterator[Watch]:
    """A page of its own cookies and storage, watched; nothing may have happened on it by the end."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(waits.MILLISECONDS)
    watching = Watch(context.new_page())
    yield watching
    context.close()
    assert watching.problems == []


@pytest.fixture
def page(watch: Watch) -> Page:
    """The watched page."""
    return watch.page


@pytest.fixture
def picture(page: Page) -> Callable[[str], object]:
    """Take a screenshot, to look at under build/screenshots."""
    return lambda name: page.screenshot(path=PICTURES / f"{name}.png")


@pytest.fixture(scope="session")
def names() -> dict[str, Any]:
    """What the study's source defines, run in this process."""
    return study.run()


@pytest.fixture(scope="session")
def notebook_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that JupyterLab serves."""
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def lab(notebook_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab."""
    with server.lab(notebook_folder, tmp_path_factory.mktemp("lab")) as started:
        yield started


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Voila on every notebook that is looked at in it, with the template that was installed."""
    folder = tmp_path_factory.mktemp("voila-notebooks")
    for write in (
        notebooks.write_widget_notebook,
        notebooks.write_linked_notebook,
        joint.write_voila_notebook,
        maps.write_notebook,
        workspace.write_voila_notebook,
    ):
        write(folder)
    with server.voila(folder, tmp_path_factory.mktemp("voila")) as started:
        yield started
