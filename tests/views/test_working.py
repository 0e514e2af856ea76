"""A view that works beside the kernel: it says so, is waited for, and takes its work along when it is closed."""

from threading import Event

from results import every
from tauscope.views.stress.worst_case import WorstCaseView


def test_work_is_said_waited_for_and_stopped_with_the_view():
    view = WorstCaseView(every.result("worst case over rows"))
    view.wait(30)
    assert not view.busy
    begun, stops = Event(), []

    def work(stopped):
        begun.set()
        while not stopped():
            pass
        stops.append(True)

    view._worker.begin(work)
    assert begun.wait(10)
    assert view.busy
    view.close()
    view.wait(10)
    assert stops == [True]
    assert not view.busy


def test_a_view_that_never_worked_is_closed():
    WorstCaseView.close(WorstCaseView.__new__(WorstCaseView))
