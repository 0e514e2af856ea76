"""The effect widget on a page: find it, press its keys, read its numbers."""

from playwright.sync_api import Locator, Page

from browser.widget import COLLISIONS

READY = ".ts-effect[data-ready='1']"


class EffectWidget:
    """An effect widget of a page, painted; by default the first."""

    def __init__(self, page: Page, which: int = 0) -> None:
        self.page = page
        self.root = page.locator(READY).nth(which)
        self.root.wait_for(timeout=60_000)

    def at(self, testid: str) -> Locator:
        """Return an element by its test id."""
        return self.root.get_by_test_id(testid)

    def text(self, testid: str) -> str:
        """Return the text of a readout."""
        return self.at(testid).inner_text()

    def revision(self) -> int:
        """Return the count of painted changes."""
        return int(self.root.get_attribute("data-rev") or 0)

    def wait_for_paint(self, after: int) -> None:
        """Wait until a change later than revision `after` is on the screen."""
        self.page.wait_for_function(
            "([root, after]) => Number(root.dataset.rev) > after",
            arg=[self.root.element_handle(), after],
            timeout=10_000,
        )

    def wait_for_text(self, testid: str, words: str, seconds: float = 20) -> None:
        """Wait until a readout holds some words."""
        self.page.wait_for_function(
            "([element, words]) => element.textContent.includes(words)",
            arg=[self.at(testid).element_handle(), words],
            timeout=1000 * seconds,
        )

    def press(self, testid: str, key: str, times: int = 1) -> None:
        """Press a real key on an element, each time waiting for the frame that answers."""
        self.at(testid).focus()
        for _ in range(times):
            before = self.revision()
            self.page.keyboard.press(key)
            self.wait_for_paint(before)

    def choose(self, testid: str, value: str) -> None:
        """Choose an option of a picker."""
        before = self.revision()
        self.at(testid).select_option(value)
        self.wait_for_paint(before)

    def read_off(self, key: str = "Home") -> str:
        """Move the reading to an end of the picture with a real key, and return what is read off there."""
        self.press("chart", key)
        return self.text("reading")

    def collisions(self) -> list[str]:
        """Return the texts that are painted over another one, or past the edge of their picture."""
        return self.root.evaluate(COLLISIONS)
