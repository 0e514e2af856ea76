"""What the view of a row's rules ships once: the model, how many rows there are, and whether a kernel can be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from tauscope.words import count

if TYPE_CHECKING:
    from tauscope.results.rules.rules import Rules

NO_KERNEL = "This page has no kernel: {needs} need one."
NO_STUDY = "These rules have left their study: {needs} need it."


class RulesMessage(TypedDict):
    """What `RulesView` carries besides its answer; `offline` says why no kernel can be asked, "" where one can."""

    version: Literal[1]
    title: str
    model: str
    n_rows: int
    live: bool
    offline: str


def rules_message(result: Rules, *, kernel: bool) -> RulesMessage:
    """Fill the message.

    Parameters
    ----------
    result : Rules
    kernel : bool
        Whether the page will have one.

    Returns
    -------
    RulesMessage
    """
    source = result.source
    n_rows = 0 if source is None else source.n_rows
    rows = f", {count(n_rows, 'row')}" if n_rows else ""
    offline = NO_STUDY if source is None else "" if kernel else NO_KERNEL
    spanned = not np.isnan(result.distributions[0].t)
    needs = "another row, π and span of values" if spanned else "another row and another π"
    return {
        "version": 1,
        "title": "Rules of one row",
        "model": f"{result.explanation.model_name}{rows}",
        "n_rows": n_rows,
        "live": not offline,
        "offline": offline.format(needs=needs),
    }
