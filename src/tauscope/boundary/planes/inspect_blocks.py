"""The run for many rows in blocks of them, which may work at the same time: rows know nothing of one another."""

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from tauscope.boundary.bisection import Starts
from tauscope.boundary.decision import Decision
from tauscope.boundary.detection import Detection
from tauscope.boundary.options import SearchOptions
from tauscope.boundary.planes.inspect import inspect_boundary
from tauscope.boundary.planes.inspection import Inspection
from tauscope.boundary.rivals import Pool
from tauscope.boundary.space import Limits, Space
from tauscope.prediction.batches import BatchOptions, Over, Progress
from tauscope.prediction.rows import Rows
from tauscope.weights.arrays import Ints

Record = TypeVar("Record")

BLOCK = 128
"""Rows that a model is asked about together: enough for calls to be large, few enough for several cores to share."""


def inspect_in_blocks(
    decision: Decision,
    rows: Rows,
    space: Space,
    pool: Pool,
    starts: Starts,
    limits: Limits,
    options: SearchOptions,
    *,
    batches: BatchOptions,
    paths: bool = True,
    detected: Detection | None = None,
    over: Over = map,
) -> Inspection:
    """Search, explain and walk to the boundary from many points.

    Parameters
    ----------
    decision, rows, space, pool, starts, limits, options, batches, paths, detected
        As in `inspect_boundary`. With `max_model_rows` all points are one block, which spends it as one run does.
    over : callable
        Applies a function to the blocks as `map` does; it can stop, and work on several cores.
    """
    inspect = _Inspect(decision, rows, space, pool, options, batches, paths)
    every: Ints = np.arange(starts.n)
    n_blocks = 1 if options.max_model_rows is not None else -(-starts.n // BLOCK)
    blocks = [
        _Block(starts.take(index), limits.take(index), None if detected is None else _taken(detected, index))
        for index in np.array_split(every, max(n_blocks, 1))
    ]
    if len(blocks) == 1:
        return inspect(blocks[0])
    parts: list[Inspection] = []
    answers = iter(over(inspect, blocks))
    for block in blocks:
        spent = bool(parts) and parts[-1].spent
        parts.append(inspect.nothing(block) if spent else _told(next(answers), inspect))
    joined = _joined(parts)
    return replace(joined, options=options, explanation=replace(joined.explanation, projection=None, sample=None))


@dataclass(frozen=True, eq=False)
class _Block:
    starts: Starts
    limits: Limits
    detected: Detection | None


class _Inspect:
    """A block to its run, here or in another process: there without a hook, which is asked once the block is back."""

    def __init__(
        self,
        decision: Decision,
        rows: Rows,
        space: Space,
        pool: Pool,
        options: SearchOptions,
        batches: BatchOptions,
        paths: bool,
    ) -> None:
        self._given = (decision, rows, space, pool)
        self._options, self._batches, self._paths = options, batches, paths
        self.n_asked = 0  # rows of the blocks that are done
        self.n_told = 0  # rows that the hook was told of

    def __call__(self, block: _Block) -> Inspection:
        return self._run(block, self._options)

    def nothing(self, block: _Block) -> Inspection:
        """Return the run of a block for which nothing may be asked any more."""
        return self._run(block, replace(self._options, max_model_rows=0))

    def tell(self, n_rows: int) -> bool:
        """Tell the hook how many rows were asked about; whether it wants to stop."""
        self.n_told = n_rows
        return self._batches.progress is not None and bool(self._batches.progress(n_rows, n_rows))

    def _run(self, block: _Block, options: SearchOptions) -> Inspection:
        budget = options.max_model_rows
        hook: Progress | None = None if self._batches.progress is None else self._within
        if budget is not None and budget > 0:  # one block: the hook counts to the budget
            hook = self._batches.progress
        return inspect_boundary(
            *self._given, block.starts, block.limits, options,
            batches=replace(self._batches, progress=hook), paths=self._paths, detected=block.detected,
        )  # fmt: skip

    def _within(self, n_done: int, _total: int) -> bool:
        return self.tell(self.n_asked + n_done)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_batches": replace(self._batches, progress=None)}


def _told(part: Inspection, inspect: _Inspect) -> Inspection:
    """Count a block's rows, and tell the hook of those that it has not heard of."""
    inspect.n_asked += part.n_model_rows
    if inspect.n_told < inspect.n_asked and inspect.tell(inspect.n_asked):
        return replace(part, spent=True)
    return part


def _taken(record: Record, index: Ints) -> Record:
    arrays: dict[str, Any] = {field.name: getattr(record, field.name)[index] for field in fields(cast(Any, record))}
    return replace(cast(Any, record), **arrays)


def _joined(records: list[Any]) -> Any:
    """Return records of some rows each as one of all: arrays one after another, counts added up."""
    first = records[0]
    joined: dict[str, Any] = {}
    for field in fields(first):
        values = [getattr(record, field.name) for record in records]
        if isinstance(values[0], np.ndarray):
            joined[field.name] = np.concatenate(values)
        elif isinstance(values[0], bool):
            joined[field.name] = any(values)
        elif isinstance(values[0], int):
            joined[field.name] = sum(values)
        elif is_dataclass(values[0]) and not isinstance(values[0], SearchOptions):
            joined[field.name] = _joined(values)
    return replace(first, **joined)
