"""An effect as a page that works without a kernel."""

from tauscope.figures.effects.table import effect_table
from tauscope.results.effects.effect import FeatureEffect
from tauscope.results.effects.text import extent, title
from tauscope.sharing.html import copy_note
from tauscope.sharing.page import closing, page
from tauscope.views.detached import Detached
from tauscope.views.effects.effect import FeatureEffectView


class DetachedEffectView(Detached, FeatureEffectView):
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
    with closing(DetachedEffectView(result, live=False)) as view:
        note = copy_note(f"{name}, {extent(result)}")
        return page(view, title=name, note=note, still=effect_table(result))
