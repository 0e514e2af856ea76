import threading
from threading import Event, enumerate as threads

import pytest

from tauscope.views.worker import Worker, every_now_and_then


def test_a_piece_runs_to_its_end():
    done = []
    worker = Worker()
    worker.wait()
    worker.begin(lambda stopped: done.append(stopped()))
    worker.wait(10)
    assert (done, worker.busy) == ([False], False)


def test_a_new_piece_stops_the_one_before_and_follows_it():
    told, said = Event(), []
    worker = Worker()

    def first(stopped):
        told.set()
        while not stopped():
            pass
        said.append("first")

    worker.begin(first)
    assert told.wait(10)
    assert worker.busy
    worker.begin(lambda stopped: said.append("second"))
    worker.wait(10)
    assert said == ["first", "second"]


def test_what_was_stopped_before_it_began_does_not_run():
    under_way, go, said = Event(), Event(), []
    worker = Worker()
    worker.begin(lambda stopped: under_way.set() or go.wait(10))
    assert under_way.wait(10)
    worker.begin(lambda stopped: said.append("never"))
    worker.begin(lambda stopped: said.append("last"))
    go.set()
    worker.wait(10)
    assert said == ["last"]


def test_of_a_flood_one_is_under_way_and_the_newest_waits():
    told, go, said = Event(), Event(), []
    before = set(threads())
    worker = Worker()

    def first(stopped):
        told.set()
        assert go.wait(10)
        said.append(stopped())

    worker.begin(first)
    assert told.wait(10)
    for number in range(500):
        worker.begin(lambda stopped, number=number: said.append(number))
    assert (worker.busy, len(set(threads()) - before)) == (True, 1)
    go.set()
    worker.wait(10)
    assert (said, worker.busy, len(set(threads()) - before)) == ([True, 499], False, 0)


def test_what_waits_does_not_run_once_stopped_and_another_may_begin():
    told, go, said = Event(), Event(), []
    worker = Worker()

    def first(stopped):
        told.set()
        assert go.wait(10)
        said.append(stopped())

    worker.begin(first)
    assert told.wait(10)
    worker.begin(lambda stopped: said.append("never"))
    worker.stop()
    assert worker.busy
    go.set()
    worker.wait(10)
    worker.begin(lambda stopped: said.append("after"))
    worker.wait(10)
    assert (said, worker.busy) == ([True, "after"], False)


def test_a_piece_may_begin_the_next():
    said = []
    worker = Worker()

    def first(stopped):
        worker.begin(lambda stopped: said.append("second"))
        said.append(stopped())

    worker.begin(first)
    worker.wait(10)
    assert said == [True, "second"]


def test_waiting_ends_after_the_seconds_given():
    go = Event()
    worker = Worker()
    worker.begin(lambda stopped: go.wait(10))
    worker.wait(0.01)
    assert worker.busy
    go.set()
    worker.wait(10)
    assert not worker.busy


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit])
def test_what_fails_is_told_and_the_next_runs(monkeypatch, error):
    told, go, said = Event(), Event(), []
    monkeypatch.setattr(threading, "excepthook", lambda args: said.append(args.exc_type))
    worker = Worker()

    def first(stopped):
        told.set()
        assert go.wait(10)
        raise error

    worker.begin(first)
    assert told.wait(10)
    worker.begin(lambda stopped: said.append("next"))
    go.set()
    worker.wait(10)
    assert (said, worker.busy) == ([error, "next"], False)


def test_progress_is_passed_on_now_and_then():
    heard, stop = [], [False]
    update = every_now_and_then(lambda done, total: heard.append((done, total)), lambda: stop[0])
    assert not any(update(done, 10) for done in range(1, 5))
    assert heard == [(1, 10)]
    stop[0] = True
    assert update(5, 10)
