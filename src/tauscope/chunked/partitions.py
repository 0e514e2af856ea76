"""Work on the partitions of a Dask DataFrame: one task each, added in a tree; where one fails, no answer at all."""

# Dask ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeVar

from tauscope.chunked.allocator import freed_blocks_kept
from tauscope.chunked.kept import keep_partitions
from tauscope.errors import FailedPartition, InputTypeError, TauscopeError

T = TypeVar("T")

FAN_IN = 8


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
        self._kept: list[Any] | None = None

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
        from dask.delayed import delayed

        if self._kept is None:
            self._kept = keep_partitions(self._parts)
        level = self._tasks(function, args)
        while len(level) > 1:
            level = [delayed(_sum)(level[i : i + FAN_IN], plus) for i in range(0, len(level), FAN_IN)]
        return self._compute(level[0], lambda: self._tasks(function, args))

    def compute_partition(self, number: int, function: Callable[..., T], *args: Any) -> T:
        """Apply a function to one partition, numbered from 1; arguments as in `total`."""
        from dask.delayed import delayed

        def task() -> Any:
            return delayed(function)(self._held[number - 1], self.name(number), *args)

        return self._compute(task(), lambda: [None] * (number - 1) + [task()])

    @property
    def _held(self) -> list[Any]:
        """The partitions: in the workers' memory where they are kept there, else as they are computed."""
        return self._kept or self._parts

    def _tasks(self, function: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
        from dask.delayed import delayed

        shared = [delayed(arg, traverse=False) for arg in args]
        return [delayed(function)(part, self.name(i), *shared) for i, part in enumerate(self._held, 1)]

    def _compute(self, task: Any, tasks: Callable[[], Sequence[Any]]) -> Any:
        """Compute a task; where it fails, `tasks` makes those of all partitions anew, from where they come."""
        try:
            return task.compute()
        except TauscopeError:
            raise
        except Exception as error:
            self._kept = None  # what failed, or was on a worker that is gone, is computed again
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
        return self.__dict__ | {"_kept": None}  # of this process's cluster


def _sum(answers: list[T | None], plus: Callable[[T, T], T]) -> T | None:
    there = [answer for answer in answers if answer is not None]
    with freed_blocks_kept():
        return reduce(plus, there) if there else None


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
