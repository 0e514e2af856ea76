"""Work on the partitions of a Dask DataFrame: where workers keep them, or a task each; one fails, no answer at all."""

# Decided in docs/decisions/0019-beyond-memory-the-bins-are-those-in-memory.md.

# Dask ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from tauscope.errors import FailedPartition, InputTypeError, TauscopeError
from tauscope.rows.kept import FAN_IN, KeptPartitions, add_answers, keep_partitions

T = TypeVar("T")


class Partitions:
    """The partitions of a Dask DataFrame, on whatever scheduler or cluster is current.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        Divisions need not be known: rows are never matched between collections.

    Raises
    ------
    ImportError
        Without Dask; names the extra to install.
    InputTypeError
        For anything but a Dask DataFrame.
    """

    def __init__(self, frame: Any) -> None:
        try:
            import dask.dataframe as dd
        except ImportError as error:
            raise ImportError("Dask DataFrames need Dask: pip install 'tauscope[dask]'.") from error
        if not isinstance(frame, dd.DataFrame):
            raise InputTypeError(
                f"A Dask DataFrame is needed; got a {type(frame).__name__}. Use dask.dataframe.from_pandas(…), or "
                "ChunkedStudy(model, chunks) for other chunks."
            )
        self.names = tuple(str(name) for name in frame.columns)
        self._parts: list[Any] = frame.to_delayed()
        self._kept: KeptPartitions | None = None
        self._asked_to_keep = False

    def __len__(self) -> int:
        return len(self._parts)

    def name(self, number: int) -> str:
        """Name a partition for people, from 1."""
        return f"partition {number} of {len(self)}"

    def total(self, function: Callable[..., T | None], *args: Any, plus: Callable[[T, T], T]) -> T | None:
        """Apply a function to every partition and add what it returns.

        Parameters
        ----------
        function : callable
            Called as function(partition, name, *args); None adds nothing.
        *args
            Sent to the workers once.
        plus : callable
            Adds two of its answers.

        Returns
        -------
        object
            None where every answer is.

        Raises
        ------
        FailedPartition
            Where a partition cannot be computed or the function fails on it, with its name.
        InputError, InputTypeError
            As the function raises them.
        """
        if not self._asked_to_keep:
            self._kept, self._asked_to_keep = keep_partitions(self._parts), True
        kept = self._kept

        def compute() -> T | None:
            if kept is None:
                return self._add_in_tree(function, args, plus)
            return kept.total([self.name(number) for number in range(1, len(self) + 1)], function, args, plus)

        return self._compute(compute, lambda: self._tasks(function, args))

    def compute_partition(self, number: int, function: Callable[..., T], *args: Any) -> T:
        """Apply a function to one partition, numbered from 1; arguments as in `total`."""
        from dask.delayed import delayed

        kept, name = self._kept, self.name(number)

        def task() -> Any:
            return delayed(function)(self._parts[number - 1], name, *args)

        def compute() -> Any:
            return task().compute() if kept is None else kept.compute(number - 1, function, name, *args)

        return self._compute(compute, lambda: [None] * (number - 1) + [task()])

    def _add_in_tree(self, function: Callable[..., Any], args: Sequence[Any], plus: Callable[[Any, Any], Any]) -> Any:
        from dask.delayed import delayed

        level = self._tasks(function, args)
        while len(level) > 1:
            level = [delayed(add_answers)(level[i : i + FAN_IN], plus) for i in range(0, len(level), FAN_IN)]
        return level[0].compute()

    def _tasks(self, function: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
        from dask.delayed import delayed

        shared = [delayed(arg, traverse=False) for arg in args]
        return [delayed(function)(part, self.name(i), *shared) for i, part in enumerate(self._parts, 1)]

    def _compute(self, compute: Callable[[], Any], tasks: Callable[[], Sequence[Any]]) -> Any:
        """Compute something; where it fails, `tasks` makes those of all partitions anew, from where they come."""
        try:
            return compute()
        except TauscopeError:
            raise
        except Exception as error:
            if self._kept is not None:
                self._kept.release()
            self._kept, self._asked_to_keep = None, False  # what was on a worker that is gone is read again
            if _lost_a_worker(error):  # each partition tried by itself would end more of them
                raise FailedPartition(
                    f"The cluster lost a worker ({type(error).__name__}): its memory ran out, or the model ended its "
                    "process. Nothing was kept; try once more, use smaller partitions, or call the model on some rows."
                ) from error
            failed = _first_to_fail(tasks())
            if failed is None:
                raise FailedPartition(
                    f"A partition failed, and not when it was tried again: {type(error).__name__}: {error}. "
                    "Nothing was kept; try once more."
                ) from error
            number, cause = failed
            raise FailedPartition(
                f"{self.name(number).capitalize()} failed: {type(cause).__name__}: {cause}. Nothing was kept; "
                "see the cause, or leave that partition out."
            ) from cause

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": None, "_asked_to_keep": False}  # of this process's cluster


def _lost_a_worker(error: Exception) -> bool:
    """Return True where work ended with its worker, or with what another worker held for it."""
    try:
        from distributed import KilledWorker
    except ImportError:  # Dask's own schedulers lose none
        return False
    return isinstance(error, KilledWorker | CancelledError)


def _first_to_fail(tasks: Sequence[Any]) -> tuple[int, Exception] | None:
    """Compute tasks one at a time until one fails: a graph's own error does not say which partition it is from."""
    for number, task in enumerate(tasks, 1):
        if task is None:
            continue
        try:
            task.compute()
        except Exception as error:
            return number, error
    return None
