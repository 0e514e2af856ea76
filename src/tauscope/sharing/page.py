"""One HTML file that shows a widget without a kernel, a server or a network."""

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, cast

import anywidget

HOST_STATE = frozenset(("layout", "tabbable", "tooltip", "comm"))


def page(view: anywidget.AnyWidget, *, title: str, note: str, still: str = "") -> str:
    """Write a view, its script, its style sheet and its state into one page.

    Parameters
    ----------
    view : anywidget.AnyWidget
        Any view whose script reads all it needs from its traits.
    title : str
        Of the browser's tab.
    note : str
        The line below the view: what this is a copy of, and of when.
    still : str, optional
        HTML seen where scripts do not run, or fail; anything from the data must be escaped in it.

    Returns
    -------
    str
        The same text for the same state. Its content security policy admits this script, by hash, and the
        view's own from a blob; no connection can be made from the page.
    """
    state = cast(dict[str, Any], view.get_state())  # pyright: ignore[reportUnknownMemberType]
    traits = {name: value for name, value in state.items() if not name.startswith("_") and name not in HOST_STATE}
    buffers: dict[str, Any] = {
        name: value for name, value in traits.items() if isinstance(value, bytes | bytearray | memoryview)
    }
    held = {
        "traits": {name: value for name, value in traits.items() if name not in buffers},
        "buffers": {name: _base64(bytes(value)) for name, value in buffers.items()},
    }
    script, style = _asset("page.js"), _asset("page.css")
    policy = (
        f"default-src 'none'; script-src 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}' blob:; "
        "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        (
            "<!doctype html>",
            '<html lang="en">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{_style(style)}</style>",
            f"<style>{_style(str(state.get('_css', '')))}</style>",
            f'<main id="view">{still}</main>',
            f"<footer>{escape(note)}</footer>",
            f'<script type="application/json" id="state">{_json(held)}</script>',
            f'<script type="text/plain" id="script">{_base64(str(state["_esm"]).encode())}</script>',
            f'<script type="module">{script}</script>',
            "</html>",
            "",
        )
    )


def _asset(name: str) -> str:
    return files("tauscope.sharing").joinpath(name).read_text("utf-8")


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _json(value: Mapping[str, Any]) -> str:
    """JSON that cannot end its script element or open a comment in it; strict, so no NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _style(text: str) -> str:
    """Return a style sheet that cannot end its style element."""
    return text.replace("</", "<\\/")
