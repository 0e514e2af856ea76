"""Views that no front end is told of: their state can be read, as for a saved page.

A widget that comes and goes within one call is closed before a browser has made it ready; JupyterLab then shows
anywidget's "Failed to initialize model" two seconds later.
"""

from tauscope.views.effect import EffectView
from tauscope.views.stress_curves import StressCurvesView


class DetachedStressCurvesView(StressCurvesView):
    """The stress widget without its line to a browser."""

    def open(self) -> None:
        """Open no line."""


class DetachedEffectView(EffectView):
    """The effect widget without its line to a browser."""

    def open(self) -> None:
        """Open no line."""
