"""What a page must not do: log an error, throw, or ask anything of another machine."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request

LOCAL = {"127.0.0.1", "localhost"}

KNOWN_NOISE: tuple[tuple[str, str], ...] = ()


def is_noise(text: str) -> bool:
    """Say whether a console error is one of `KNOWN_NOISE`."""
    return any(re.search(pattern, text) for pattern, _ in KNOWN_NOISE)


@dataclass
class Watch:
    """Listens to a page from its first byte on; `problems` is empty when nothing happened."""

    page: Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        self.page.on("request", self._on_request)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not is_noise(f"{message.text} @ {message.location.get('url', '')}"):
            where = message.location.get("url", "")
            self.problems.append(f"console error: {message.text} @ {where}")

    def _on_request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in {"data", "blob"}:
            return
        self.requests.append(request.url)
        if url.scheme != "file" and url.hostname not in LOCAL:
            self.problems.append(f"request to another machine: {request.url}")
