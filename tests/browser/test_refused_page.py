"""A saved page from a host whose header refuses the scripts and styles inside it."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from browser.watch import Watch
from browser.widget import Widget
from tauscope.sharing.html import NOT_RUN


class Strict(SimpleHTTPRequestHandler):
    """Serves files as a host that admits scripts from files and blobs alone."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", "default-src 'self'; script-src blob: 'self'")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def host(tmp_path: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Strict, directory=tmp_path)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_page_whose_scripts_are_refused_says_so(
    watch: Watch, names: dict[str, Any], tmp_path: Path, host: str, picture: Callable[[str], object]
) -> None:
    names["curves"].save(tmp_path / "curves.html")
    watch.page.goto(f"{host}/curves.html")
    assert watch.page.get_by_text(NOT_RUN).is_visible()
    assert watch.page.locator("table").count()
    picture("refused-page")
    refused = "violates the following Content Security Policy"
    assert watch.problems
    watch.problems[:] = [problem for problem in watch.problems if refused not in problem]


def test_a_page_whose_scripts_run_has_no_such_words(watch: Watch, names: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "curves.html"
    names["curves"].save(path)
    watch.page.goto(path.as_uri())
    assert Widget(watch.page).text("value")
    assert not watch.page.get_by_text(NOT_RUN).count()
