"""One HTML file that shows a widget without a kernel, a server or a network."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import anywidget

from tauscope.results import show
from tauscope.results.base import Result
from tauscope.sharing.html import asset, by_hash, copy_note, escape_script, html_page, pack
from tauscope.sharing.reading import how_to_read
from tauscope.views.base import ResultView
from tauscope.views.bundle import plain_script

View = TypeVar("View", bound=anywidget.AnyWidget)

HOST_STATE = frozenset(("layout", "tabbable", "tooltip", "comm"))


def result_page(result: Result, **state: Any) -> str:
    """Write a result's widget into one page.

    Parameters
    ----------
    result : Result
        Of a kind that has a widget.
    **state
        First values of its traits.

    Raises
    ------
    UnknownName, InputError, traitlets.TraitError
        For values that the page could not show: opened later it tells nobody who can mend it.
    """
    kind = cast(type[ResultView], show.view_class(result))
    with closing(kind.offline(result, **state)) as view:
        view.check_offline()
        note = copy_note(result._caption, result.computed_on)
        return page(view, title=result.title, note=note, still=view.still(), reading=how_to_read(result))


def page(
    view: anywidget.AnyWidget, *, title: str, note: str, still: str = "", reading: str = "", lead: str = ""
) -> str:
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
    reading : str, optional
        How to read it, HTML.
    lead : str, optional
        What has to be known before, HTML, above the view.

    Returns
    -------
    str
        The same text for the same state. Its content security policy admits this script, by hash, and the
        view's own from a blob; no connection can be made from the page.
    """
    state = view.get_state()
    traits = {name: value for name, value in state.items() if not name.startswith("_") and name not in HOST_STATE}
    buffers: dict[str, Any] = {
        name: value for name, value in traits.items() if isinstance(value, bytes | bytearray | memoryview)
    }
    payload = {
        "traits": {name: value for name, value in traits.items() if name not in buffers},
        "buffers": {name: pack(bytes(getattr(view, name))) for name in buffers},
    }
    text = json.dumps(payload, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    script = asset("unpack.js") + asset("page.js")
    return html_page(
        title=title,
        main=f'{lead}<main id="view">{still}</main>',
        note=note,
        reading=reading,
        scripts=(
            f'<script type="application/json" id="state">{escape_script(text)}</script>',
            f'<script type="text/plain" id="script">{pack(plain_script(str(state["_esm"])).encode())}</script>',
            f'<script type="module">{script}</script>',
        ),
        admitted=(by_hash(script), "blob:"),
        styles=(str(state.get("_css", "")),),
    )


@contextmanager
def closing(view: View) -> Generator[View, None, None]:
    """Close a view, and the layout that was made with it, once its page is written."""
    try:
        yield view
    finally:
        view.layout.close()  # pyright: ignore[reportUnknownMemberType]
        view.close()
