"""The effect widget on a page: find it, press its keys, read its numbers."""

from playwright.sync_api import Page

from browser.widget import PaintedWidget

READY = ".ts-effect[data-ready='1']"


class EffectWidget(PaintedWidget):
    """An effect widget of a page, painted; by default the first."""

    def __init__(self, page: Page, which: int = 0) -> None:
        super().__init__(page, READY, which)

    def read_off(self, key: str = "Home") -> str:
        """Move the reading to an end of the picture with a real key, and return what is read off there."""
        self.press("chart", key)
        return self.text("reading")

    def show_paper(self) -> None:
        """Have the paper's bound shown too."""
        if not self.at("paper").is_checked():
            before = self.revision()
            self.at("paper").check()
            self.wait_for_paint(before)
