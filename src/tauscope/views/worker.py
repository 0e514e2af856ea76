"""Long work beside the kernel's own, one piece at a time: begun, told to stop, followed by the newest."""

import sys
import threading
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import NamedTuple

from tauscope.model.progress_bar import bars_shown
from tauscope.prediction.stopping import Stopped, stoppable

Work = Callable[[Callable[[], bool]], None]
PAUSE = 0.1  # seconds between two words on progress


class Piece(NamedTuple):
    """Some work, and what tells it to stop."""

    work: Work
    stop: Event


class Worker:
    """Runs one piece of work on a thread of its own; a new piece stops the one before it.

    At most one piece is under way and one waits for it to end: the newest, in the place of one that waited before.
    A piece is called with a function that says whether it should stop, and has to ask it now and then; where it calls
    a study, that ends with `Stopped` between two steps. What it raises is its own affair.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._busy = False
        self._stop = Event()
        self._waiting: Piece | None = None

    @property
    def busy(self) -> bool:
        """Whether a piece is under way."""
        return self._busy

    def begin(self, work: Work) -> None:
        """Stop what is under way, then run `work`, unless another is begun before its turn comes."""
        with self._lock:
            self._stop.set()
            self._stop = Event()
            self._waiting = Piece(work, self._stop)
            if not self._busy:
                self._thread = Thread(target=self._run, name="tauscope", daemon=True)
                self._thread.start()
                self._busy = True

    def stop(self) -> None:
        """Ask what is under way to stop; it ends when it next looks. What waits never begins."""
        with self._lock:
            self._stop.set()
            self._waiting = None

    def wait(self, seconds: float | None = None) -> None:
        """Wait until nothing is under way, or some seconds have passed."""
        end = None if seconds is None else time.monotonic() + seconds
        thread = None
        while thread is not self._thread:
            thread = self._thread
            if thread is not None:
                thread.join(None if end is None else max(0, end - time.monotonic()))

    def _run(self) -> None:
        while (piece := self._next()) is not None:
            try:
                with bars_shown(False), stoppable(piece.stop.is_set):  # the view shows how far it is
                    piece.work(piece.stop.is_set)
            except Stopped:
                continue
            except BaseException:  # a thread that ended here would leave what waits
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread())))

    def _next(self) -> Piece | None:
        """Take the piece that waits; where there is none, the thread ends."""
        with self._lock:
            piece, self._waiting = self._waiting, None
            self._busy = piece is not None
            return piece


def every_now_and_then(tell: Callable[[int, int], None], stopped: Callable[[], bool]) -> Callable[[int, int], bool]:
    """Make a callback that passes on some of what it is told, and stops the work once that is asked for."""
    last = 0.0

    def update(done: int, total: int) -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last > PAUSE and not stopped():
            last = now
            tell(int(done), int(total))
        return stopped()

    return update
