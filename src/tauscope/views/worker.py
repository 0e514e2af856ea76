"""Long work beside the kernel's own, one piece at a time: begun, told to stop, followed by the next."""

from collections.abc import Callable
from threading import Event, Thread

Work = Callable[[Callable[[], bool]], None]


class Worker:
    """Runs one piece of work on a thread of its own; a new piece stops the one before it.

    A piece is called with a function that says whether it should stop, and has to ask it now and then. What it
    raises is its own affair.
    """

    def __init__(self) -> None:
        self._thread: Thread | None = None
        self._stop = Event()

    @property
    def busy(self) -> bool:
        """Whether a piece is under way."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self, work: Work) -> None:
        """Stop what is under way, then run `work`."""
        self.stop()
        before, stop = self._thread, Event()

        def run() -> None:
            if before is not None:
                before.join()
            if not stop.is_set():
                work(stop.is_set)

        self._stop = stop
        self._thread = Thread(target=run, name="tauscope", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ask what is under way to stop; it ends when it next looks."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until nothing is under way, or some seconds have passed."""
        if self._thread is not None:
            self._thread.join(seconds)
