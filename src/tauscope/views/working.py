"""Views with work beside the kernel's own."""

from __future__ import annotations

from functools import cached_property

from tauscope.views.base import LinkedView
from tauscope.views.worker import Worker


class WorkingView(LinkedView):
    """A view that has one worker, which ends with it."""

    @cached_property
    def _worker(self) -> Worker:
        """Made when it is first asked for: a view may begin, or be closed, before it is whole."""
        return Worker()

    @property
    def busy(self) -> bool:
        """Whether the kernel is at work for this view."""
        return self._worker.busy

    def wait(self, seconds: float | None = None) -> None:
        """Wait until nothing is under way for this view, or some seconds have passed."""
        self._worker.wait(seconds)

    def close(self) -> None:
        """Stop what is under way and close the view."""
        self._worker.stop()
        super().close()
