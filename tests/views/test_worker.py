from threading import Event

from tauscope.views.worker import Worker


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
    go, said = Event(), []
    worker = Worker()
    worker.begin(lambda stopped: go.wait(10))
    worker.begin(lambda stopped: said.append("never"))
    worker.begin(lambda stopped: said.append("last"))
    go.set()
    worker.wait(10)
    assert said == ["last"]
