"""A view that a worker fills while a host takes it in."""

from threading import Thread

import traitlets

from tauscope.views.base import ResultView
from tauscope.views.workspace.host import Host


class Filled(ResultView):
    """A view of a number and its words, which are sent as one message."""

    number = traitlets.Int(0).tag(sync=True)
    words = traitlets.Unicode("").tag(sync=True)

    def fill(self):
        with self.hold_sync():
            self.words, self.number = "one", 1


class Late(Host):
    """A host whose view is filled just after its traits were copied."""

    _offline = True

    def add_traits(self, **traits):
        super().add_traits(**traits)
        if "filled__number" not in traits:
            return
        self.filling = Thread(target=self.view.fill)
        self.filling.start()
        self.filling.join(0.1)


def test_what_a_worker_sets_meanwhile_is_not_lost():
    view = Filled.offline(None)
    host = Late(None)
    host.view = view
    host._host("filled", view, {})
    host.filling.join(5)
    assert not host.filling.is_alive()
    assert (view.number, view.words) == (1, "one")
    assert (host.filled__number, host.filled__words) == (1, "one")
