"""Units of work on several cores: columns, replicates or refits, in order, with the same bits as on one.

Each unit is a function of its own arguments: it draws nothing from what other units draw from. BLAS has one thread in
a unit, on one core too, since a sum that it splits is rounded otherwise. So the answer is that of one core, whatever
`n_jobs` is.
"""

# Decided in docs/decisions/0015-units-on-several-cores-are-the-same-bits-as-on-one.md.

# joblib, which scikit-learn brings along, and threadpoolctl ship no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, TypeVar, cast
from uuid import uuid4

from tauscope.errors import InputError
from tauscope.model.progress_bar import progress
from tauscope.prediction.stopping import steps

Unit = TypeVar("Unit")
Answer = TypeVar("Answer")
Mapped = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""Applies a function to units, as `map` does."""

ONE_AHEAD = {"batch_size": 1, "pre_dispatch": "n_jobs + 1"}
"""How joblib reads units that go one by one."""
WORDS = "n_jobs must be a number of workers: 1 or more, or below 0 to count from all cores, -1; got {!r}. Try -1."


def check_n_jobs(n_jobs: int | None) -> None:
    """Ask for workers: joblib's 0 is none.

    Raises
    ------
    InputError
    """
    if n_jobs == 0:
        raise InputError(WORDS.format(n_jobs))


def run_units(
    function: Callable[[Unit], Answer], units: Iterable[Unit], n_jobs: int | None, *, one_by_one: bool = False
) -> Iterator[Answer]:
    """Apply a function to units, on as many workers as asked for, and give its answers in the order of the units.

    Parameters
    ----------
    function : callable
        Of one unit alone. For more than one worker it and the units go to other processes, whatever they are: local
        functions too. Within `joblib.parallel_config` they go where that says, threads or a cluster.
    units : iterable
        Read as workers become free.
    n_jobs : int or None
        As joblib has it: None is 1, or what `joblib.parallel_config` says; -1 all cores, -2 all but one.
    one_by_one : bool, default False
        Whether a unit goes by itself, since it takes long or follows from the answers before. Each is read as late as
        a worker allows, on one core after the answer before it was taken, on several a few units earlier, from another
        thread. The function does not go with each: a process keeps it from one to the next.

    Yields
    ------
    object
        The first unit in order that failed raises here what it raised, as on one core.
    """
    n_workers = _n_workers(n_jobs)
    if n_workers == 1 or (isinstance(units, Sized) and len(units) < 2):
        for unit in steps(units):
            with one_blas_thread():
                answer = function(unit)
            yield answer
        return
    task = _KeptTask(function, copy_context(), n_workers) if one_by_one else _Task(function, copy_context())
    answers = _in_parallel(task, units, n_jobs, ONE_AHEAD if one_by_one else {})
    try:
        for came in steps(answers):
            answer = task.taken(came)
            if isinstance(answer, _Failure):
                raise answer.error
            yield cast("Answer", answer)
    finally:
        with warnings.catch_warnings():  # joblib counts what was computed and is not read, after a stop
            warnings.simplefilter("ignore")
            answers.close()


def mapped(n_jobs: int | None, doing: str, total: int | None, unit: str) -> Mapped:
    """Return what an engine takes in the place of `map`: units on several cores, counted by a bar.

    Without a total the bar counts to the number of the units where they are a list.
    """

    def over(function: Callable[[Any], Any], units: Iterable[Any]) -> Iterator[Any]:
        n = len(units) if total is None and isinstance(units, Sized) else total
        return iter(progress(run_units(function, units, n_jobs), doing, n, unit))

    return over


def _n_workers(n_jobs: int | None) -> int:
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def _in_parallel(task: _Task, units: Iterable[Any], n_jobs: int | None, read: Mapping[str, Any]) -> Generator[Any]:
    from joblib import Parallel, delayed

    # large arrays are shared, and each process keeps what it writes into them
    options: Any = {"n_jobs": n_jobs, "mmap_mode": "c", **read}
    try:
        pool: Any = Parallel(return_as="generator", **options)
    except TypeError:  # joblib before 1.3 answers when all is done
        pool = Parallel(**options)
    try:
        yield from pool(delayed(task)(unit) for unit in units)
    except Exception as error:
        if type(error).__name__ in ("TerminatedWorkerError", "BrokenProcessPool"):
            raise InputError(
                f"n_jobs={n_jobs!r} let other processes work, and one ended before it answered: it ran out of memory, "
                "or the model ended it. Use fewer of them, or n_jobs=1, which shows what the model does."
            ) from error
        if type(error).__name__ != "PicklingError":
            raise
        raise InputError(
            f"n_jobs={n_jobs!r} hands the model and the rows to other processes, and they cannot be: "
            f"{_last_line(error.__cause__ or error)}. Use n_jobs=1, or threads: "
            "with joblib.parallel_config(backend='threading')."
        ) from error


def _last_line(error: BaseException) -> str:
    """Return what an error says, without the traceback that a worker sends along."""
    lines = [line for line in str(error).splitlines() if line.strip(' "')]
    return lines[-1].rstrip(".") if lines else type(error).__name__


@dataclass(frozen=True)
class _Failure:
    error: Exception


class _Task:
    """A function for one unit at a time, in another thread or process; an error comes back as an answer, in order."""

    def __init__(self, function: Callable[[Any], Any], context: Context | None) -> None:
        self._function, self._context = function, context

    def __call__(self, unit: Any) -> Any:
        try:
            with one_blas_thread():
                if self._context is None:
                    return self._function(unit)
                # what hides bars and stops work is of the thread that asked
                return self._context.copy().run(self._function, unit)
        except Exception as error:
            return _Failure(error)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_context": None}  # a context stays in its process

    def taken(self, came: Any) -> Any:
        """Return the answer in what a worker sent."""
        return came


@dataclass(frozen=True)
class _Came:
    process: int
    answer: Any


@dataclass(frozen=True)
class _Returned:
    unit: Any


_kept: dict[str, Callable[[Any], Any]] = {}
"""The last function that was sent to this process, by the name of its task."""


class _KeptTask(_Task):
    """A task whose function a process keeps until the next comes: once all have it, it is sent with no unit."""

    def __init__(self, function: Callable[[Any], Any], context: Context | None, n_workers: int) -> None:
        from joblib import wrap_non_picklable_objects

        # wrapped, its arrays are copied, not shared: joblib waits a second to delete the files of arrays still kept
        super().__init__(wrap_non_picklable_objects(function), context)
        self._name, self._n_workers = uuid4().hex, n_workers
        self._keepers: set[int] = set()

    def __call__(self, unit: Any) -> _Came:
        return _Came(os.getpid(), super().__call__(unit))

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if len(self._keepers) >= self._n_workers:
            del state["_function"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        if "_function" in state:
            _kept.clear()
            _kept[self._name] = self._function
        else:
            self._function = _kept.get(self._name, _Returned)

    def taken(self, came: _Came) -> Any:
        """Return an answer, and note who has the function; a unit that came back for want of it is done here."""
        if isinstance(came.answer, _Returned):
            self._keepers.clear()
            return super().__call__(came.answer.unit)
        self._keepers.add(came.process)
        return came.answer


@lru_cache(maxsize=1)
def _libraries(n_modules: int) -> Any:
    """Find the libraries of threads, again once more modules were loaded: one of them may bring its own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


_lock = Lock()
_held: list[Any] = []
_n_inside = 0


@contextmanager
def one_blas_thread() -> Generator[None]:
    """Let BLAS work in one thread, until the last of those inside, in whatever thread, has left."""
    global _n_inside
    with _lock:
        if not _n_inside:
            _held.append(_libraries(len(sys.modules)).limit(limits=1, user_api="blas"))
        _n_inside += 1
    try:
        yield
    finally:
        with _lock:
            _n_inside -= 1
            if not _n_inside:
                _held.pop().restore_original_limits()
