"""An effect as a page that works without a kernel."""

from datetime import date

from tauscope.figures.effect_table import effect_table
from tauscope.results.effect import FeatureEffect
from tauscope.results.effect_words import extent, title
from tauscope.sharing.page import page
from tauscope.views.detached import Detached
from tauscope.views.effect import EffectView


class DetachedEffectView(Detached, EffectView):
    """The effect widget without its line to a browser."""


def effect_page(result: FeatureEffect) -> str:
    """Return the page of an effect: its band and, where the rows fit, its stress are computed there.

    Parameters
    ----------
    result : FeatureEffect

    Returns
    -------
    str
        HTML with everything inside.
    """
    name = title(result)
    note = f"Static copy, computed {date.today().isoformat()}: {name}, {extent(result)}. No kernel, no network."
    view = DetachedEffectView(result, live=False)
    try:
        return page(view, title=name, note=note, still=effect_table(result))
    finally:
        view.layout.close()  # pyright: ignore[reportUnknownMemberType]
        view.close()
