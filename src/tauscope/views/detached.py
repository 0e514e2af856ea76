"""A view that no front end is told of: its state can be read, as for a saved page."""

from tauscope.views.stress_curves import StressCurvesView


class DetachedStressCurvesView(StressCurvesView):
    """The stress widget without its line to a browser.

    A widget that comes and goes within one call is closed before a browser has made it ready; JupyterLab then
    shows anywidget's "Failed to initialize model" two seconds later.
    """

    def open(self) -> None:
        """Open no line."""
