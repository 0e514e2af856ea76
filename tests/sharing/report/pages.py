"""A written report as a reader has it: its sections by their questions, text as it is read."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any, NamedTuple

HOSTILE = "<img src=x onerror=alert(1)></dd>"


class Read(NamedTuple):
    """A section: its answer, all its text, and its code blocks."""

    answer: str
    text: str
    code: list[str]


class Tags(HTMLParser):
    """The elements of a page, as a browser reads them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def written(study: Any, path: Any, **options: Any) -> str:
    study.report(path, **options)
    return path.read_text("utf-8")


def sections(page: str) -> dict[str, Read]:
    """Return each section by its head."""
    found = re.findall(r"<section[^>]*><h2>(.*?)</h2>(.*?)</section>", page, re.S)
    return {text_of(head): _read(body) for head, body in found}


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", html)).replace("\u2060", "")


def _read(body: str) -> Read:
    answer = re.search(r'<p class="answer">(.*?)</p>', body, re.S)
    code = [unescape(one) for one in re.findall(r"<code>(.*?)</code>", body, re.S)]
    return Read(text_of(answer.group(1)).strip() if answer else "", text_of(body), code)
