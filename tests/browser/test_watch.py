"""The watch sees what it is there for; everything else under this folder relies on that."""

import pytest
from playwright.sync_api import Browser

from browser.waits import ask_until
from browser.watch import Watch


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("console.error('broken')", "console error: broken"),
        ("throw new Error('thrown')", "page error: thrown"),
        ("fetch('http://elsewhere.invalid/x.css').catch(() => {})", "request to another machine: http://elsewhere"),
    ],
)
def test_watch_reports(browser: Browser, script: str, said: str) -> None:
    page = browser.new_page()
    watch = Watch(page)
    page.set_content(f"<script>{script}</script>")
    ask_until(lambda: page.evaluate("0"), lambda _: any(problem.startswith(said) for problem in watch.problems))
    page.close()


def test_watch_lets_a_quiet_page_be(browser: Browser) -> None:
    page = browser.new_page()
    watch = Watch(page)
    page.goto("data:text/html,<img src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>")
    page.evaluate("console.warn('a warning is not an error')")
    page.close()
    assert watch.problems == []
