"""Views that no front end is told of: their state can be read, as for a saved page.

A widget that comes and goes within one call is closed before a browser has made it ready; JupyterLab then shows
anywidget's "Failed to initialize model" two seconds later.
"""


class Detached:
    """Mixed into a view, before its class, takes away its line to a browser."""

    def open(self) -> None:
        """Open no line."""
