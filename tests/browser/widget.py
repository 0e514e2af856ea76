"""The stress widget on a page: find it, press its keys, read its numbers."""

import re

from playwright.sync_api import Locator, Page

READY = ".ts-stress-curves[data-ready='1']"
NUMBER = re.compile(r"[+−-]?\d[\d,]*(?:\.\d+)?(?:e[+−-]?\d+)?")

COLLISIONS = """
(root) => {
  const box = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const visible = (node) => node.checkVisibility() && node.textContent.trim() !== "";
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const terms = [...root.querySelectorAll("dt")].filter(visible);
  const painted = [...root.querySelectorAll("dt, dd, [data-testid='value'], [data-testid='interval']")].filter(visible);
  const over = terms.flatMap((term) => painted
    .filter((other) => other !== term && overlap(box(term), box(other)))
    .map((other) => `"${term.textContent}" and "${other.textContent}"`));
  const past = [...root.querySelectorAll("svg text")].filter(visible).filter((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), text.ownerSVGElement.getBoundingClientRect()];
    return inner.left < outer.left - 1 || inner.right > outer.right + 1;
  }).map((text) => `"${text.textContent}" past its chart's edge`);
  const touching = [...root.querySelectorAll(".ts-plane svg")].flatMap((svg) => {
    const ticks = [...svg.querySelectorAll("text.ts-tick[text-anchor='middle']")].filter(visible);
    return ticks.flatMap((one, k) => ticks.slice(k + 1).filter((other) => overlap(box(one), box(other)))
      .map((other) => `ticks "${one.textContent}" and "${other.textContent}"`));
  });
  const shown = [...root.querySelectorAll("[hidden]")].filter((node) => getComputedStyle(node).display !== "none")
    .map((node) => `"${node.className}" is hidden and yet there`);
  return [...over, ...past, ...touching, ...shown];
}
"""


class PaintedWidget:
    """A widget of a page, painted; by default the first that a selector finds."""

    def __init__(self, page: Page, selector: str, which: int = 0) -> None:
        self.page = page
        self.root = page.locator(selector).nth(which)
        self.root.wait_for()

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
        )

    def wait_for_text(self, testid: str, words: str) -> None:
        """Wait until a readout holds some words."""
        self.page.wait_for_function(
            "([element, words]) => element.textContent.includes(words)",
            arg=[self.at(testid).element_handle(), words],
        )

    def press_on(self, element: Locator, key: str, times: int = 1) -> None:
        """Press a real key on an element, each time waiting for the frame that answers."""
        element.focus()
        for _ in range(times):
            before = self.revision()
            self.page.keyboard.press(key)
            self.wait_for_paint(before)

    def press(self, testid: str, key: str, times: int = 1) -> None:
        """Press a real key on an element by its test id."""
        self.press_on(self.at(testid), key, times)

    def choose(self, testid: str, value: str) -> None:
        """Choose an option of a picker."""
        before = self.revision()
        self.at(testid).select_option(value)
        self.wait_for_paint(before)

    def picked(self, testid: str) -> str:
        """Return the option a picker is at."""
        return self.at(testid).input_value()

    def statistic(self, testid: str) -> str:
        """Return a statistic of the population, opening by its key the details that it stands behind."""
        details = self.at("population-details").first
        if details.get_attribute("open") is None:
            details.locator("summary").press("Enter")
        return details.get_by_test_id(testid).inner_text()

    def collisions(self) -> list[str]:
        """Return the texts that are painted over another one, or past the edge of their chart."""
        return self.root.evaluate(COLLISIONS)


class Widget(PaintedWidget):
    """The first stress widget of a page, painted: its keys are pressed on sliders by the name of the feature."""

    def __init__(self, page: Page, selector: str = READY) -> None:
        super().__init__(page, selector)

    def features(self) -> list[str]:
        """Return the names of the features that have a slider, in the order shown."""
        sliders = self.root.get_by_test_id("tau").all()
        return [slider.get_attribute("data-feature") or "" for slider in sliders]

    def open_categories(self) -> None:
        """Open every column of levels, and the other levels below, by its key."""
        for key in ("ArrowRight", "Enter"):
            for closed in self.root.locator("[data-testid='category'][aria-expanded='false']").all():
                closed.press(key)

    def slider(self, feature: str) -> Locator:
        """Return the τ slider of a feature."""
        return self.root.locator(f"input[data-testid='tau'][data-feature={feature!r}]")

    def press(self, feature: str, key: str, times: int = 1) -> None:
        """Press a real key on a feature's slider, each time waiting for the frame that answers."""
        self.press_on(self.slider(feature), key, times)


def shown(text: str) -> list[tuple[float, float]]:
    """Return the numbers of a text, each with half a unit of its last digit; percentages as shares."""
    share = 0.01 if "%" in text else 1.0
    found: list[tuple[float, float]] = []
    for written in NUMBER.findall(text):
        plain = written.replace("−", "-").replace(",", "")
        mantissa, _, exponent = plain.partition("e")
        decimals = len(mantissa.partition(".")[2])
        unit = share * 10.0 ** (int(exponent or 0) - decimals)
        found.append((float(plain) * share, unit / 2))
    return found


def says(text: str, *expected: float, share: bool = False) -> bool:
    """Say whether the first numbers of a text are the expected ones, to the digits it shows."""
    numbers = shown(text + ("%" if share else ""))
    # The browser holds float32: seven digits, fewer than which are shown.
    return len(numbers) >= len(expected) and all(
        abs(value - number) <= half * (1 + 1e-6) + 1e-6 * abs(number)
        for number, (value, half) in zip(expected, numbers, strict=False)
    )
