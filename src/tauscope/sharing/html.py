"""The frame of every page: one HTML file that runs its own scripts, loads nothing, and in which text stays text."""

import gzip
from base64 import b64encode
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from importlib.resources import files

from tauscope.words import escape

NOT_RUN = (
    "The scripts in this page were not run, so nothing can be moved here. Save the page and open it from disk in a "
    "browser that runs scripts, or have the site that serves it allow inline scripts and styles in its "
    "Content-Security-Policy."
)
TAKE_AWAY = "document.currentScript.previousElementSibling.remove();"


def html_page(
    *,
    title: str,
    main: str,
    note: str,
    scripts: Sequence[str],
    admitted: Sequence[str],
    styles: Sequence[str] = (),
    reading: str = "",
) -> str:
    """Write a page.

    Parameters
    ----------
    title : str
        Of the browser's tab, and the page's heading for those who hear it; views show a title of their own.
    main : str
        The `main` element; anything from the data must be escaped in it.
    note : str
        The line below it.
    scripts : sequence of str
        Script elements, in order.
    admitted : sequence of str
        Which scripts may run, as sources of the content security policy; no connection can be made from the page.
    styles : sequence of str
        Style sheets beside the page's own.
    reading : str, optional
        How to read it, HTML, below the `main` element.

    Returns
    -------
    str
    """
    notice = (f'<p class="caution">{NOT_RUN}</p>', f"<script>{TAKE_AWAY}</script>") if scripts else ()
    if scripts:
        admitted = (by_hash(TAKE_AWAY), *admitted)
    policy = (
        f"default-src 'none'; script-src {' '.join(admitted)}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            *(f"<style>{_escape_style(sheet)}</style>" for sheet in (asset("page.css"), *styles)),
            f"<h1>{escape(title)}</h1>",
            *notice,
            main,
            reading,
            f"<footer>{escape(note)}</footer>",
            *scripts,
            "</html>",
            "",
        )
    )


def asset(name: str) -> str:
    """Return a file that stands beside this one."""
    return files("tauscope.sharing").joinpath(name).read_text("utf-8")


def pack(data: bytes) -> str:
    """Compress and write in base64, the same for the same bytes; `unpack.js` has the way back."""
    return b64encode(gzip.compress(data, mtime=0)).decode("ascii")


def by_hash(script: str) -> str:
    """Return the source that admits one script, by what is in it."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def escape_script(text: str) -> str:
    """Write JSON so that it cannot end its script element or open a comment in it."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def copy_note(words: str, computed_on: date) -> str:
    """Say of what a page is a copy, and of which day its numbers are."""
    return f"Static copy, computed {computed_on.isoformat()}: {words}. No kernel, no network."


def _escape_style(sheet: str) -> str:
    return sheet.replace("</", "<\\/")
