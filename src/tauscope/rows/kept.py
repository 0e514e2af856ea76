"""Partitions kept in the memory of a cluster's workers from the first pass on, and worked on where they are.

Each is read once, on the worker whose turn it is, so that all have as many. A pass is then one task for each thread: it
adds up what the partitions at hand give, in their order, and one answer leaves it, whatever their number.
"""

# Decided in docs/decisions/0016-dasks-workers-keep-partitions.md.
# Dask ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false
# Labels are of any type.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from tempfile import TemporaryFile
from typing import IO, Any, NamedTuple, TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.model.output import ModelOutput
from tauscope.rows.allocator import freed_blocks_kept
from tauscope.rows.reading import Chunk

T = TypeVar("T")

SHARE = 0.5
"""Of all workers' memory that partitions may take."""
UNEVEN = 1.25
"""Times its due of all bytes that a worker may hold before partitions are moved."""
FAN_IN = 8


class Group(NamedTuple):
    """Partitions, counted from 0, that one thread of a worker sums."""

    worker: str
    numbers: tuple[int, ...]


class KeptPartitions:
    """Partitions in the memory of workers.

    Parameters
    ----------
    client : distributed.Client
    futures : sequence of distributed.Future
        One for each partition.
    groups : sequence of Group
        With each partition once, where it is.
    """

    def __init__(self, client: Any, futures: Sequence[Any], groups: Sequence[Group]) -> None:
        self._client, self._futures, self._groups = client, futures, groups
        self._pending: list[Any] = []

    def total(
        self,
        names: Sequence[str],
        function: Callable[..., T | None],
        args: Sequence[Any],
        plus: Callable[[T, T], T],
    ) -> T | None:
        """Apply a function to every partition and add what it returns; see `tauscope.rows.partitions`."""
        (shared,) = self._client.scatter([_Work(function, tuple(args), plus)], broadcast=True, hash=False)
        level = self._pending = [
            self._submit(group.worker, _sum_group, self._held(group), [names[i] for i in group.numbers], shared)
            for group in self._groups
        ]
        while len(level) > 1:
            level = self._pending = [
                self._client.submit(add_answers, level[i : i + FAN_IN], plus, pure=False)
                for i in range(0, len(level), FAN_IN)
            ]
        return level[0].result()

    def release(self) -> None:
        """Give up the partitions and the work on them, which a traceback would keep alive on the scheduler.

        Those that were to lie on workers that are gone wait there for ever, and so would all that asks for them.
        """
        for future in (*self._pending, *self._futures):
            future.release()

    def compute(self, number: int, function: Callable[..., T], *args: Any) -> T:
        """Apply a function to one partition, counted from 0."""
        worker = next(group.worker for group in self._groups if number in group.numbers)
        return self._submit(worker, function, self._futures[number], *args).result()

    def _held(self, group: Group) -> list[Any]:
        return [self._futures[i] for i in group.numbers]

    def _submit(self, worker: str, function: Callable[..., Any], *args: Any) -> Any:
        """Have a worker do something; another one where it is gone."""
        return self._client.submit(function, *args, workers=[worker], allow_other_workers=True, pure=False)


class _Work(NamedTuple):
    function: Callable[..., Any]
    args: tuple[Any, ...]
    plus: Callable[[Any, Any], Any]


def keep_partitions(parts: Sequence[Any]) -> KeptPartitions | None:
    """Have a cluster's workers keep partitions, where there is a cluster and they fit.

    Parameters
    ----------
    parts : sequence of dask.delayed.Delayed

    Returns
    -------
    KeptPartitions or None
        None where they are not kept: without a cluster, whose rows would be in this process; where so many partitions
        as large as the first, one for each thread, would take more than half of the workers' memory; or where one
        cannot be read, which fails again in the pass, where it is said which and why.
    """
    client = _client()
    if client is None or not parts:
        return None
    threads: Mapping[str, int] = client.nthreads()
    turns = [worker for turn in range(max(threads.values(), default=0)) for worker in threads if threads[worker] > turn]
    if not turns:
        return None
    pinned = turns if _are_apart(parts) else None
    try:
        first = _read(client, parts[: len(turns)], pinned)
        sizes: list[int] = client.gather([client.submit(_bytes, future, pure=False) for future in first])
        if sum(sizes) / len(sizes) * len(parts) > SHARE * workers_memory(client):
            return None
        futures = [*first, *_read(client, parts[len(turns) :], pinned)]
        if not _all_there(futures):
            return None
        at = _even_out(client, futures, threads, pinned)
    except Exception:  # it fails again in the pass, which says where and why
        return None
    return KeptPartitions(client, futures, _group(at, threads))


def workers_memory(client: Any) -> float:
    """Return the bytes that all workers of a cluster may take; those without a limit have their machine's."""
    from distributed.system import MEMORY_LIMIT

    try:
        about = client.scheduler_info(n_workers=-1)
    except TypeError:  # before 2025 it always was of all workers
        about = client.scheduler_info()
    return float(sum(worker["memory_limit"] or MEMORY_LIMIT for worker in about["workers"].values()))


def add_answers(answers: Iterable[T | None], plus: Callable[[T, T], T]) -> T | None:
    """Add answers in their order, each as it comes; None adds nothing."""
    there = (answer for answer in answers if answer is not None)
    with freed_blocks_kept():
        first = next(there, None)
        return None if first is None else reduce(plus, there, first)


def moves_to_even_out(at: Sequence[str], sizes: Sequence[float], threads: Mapping[str, int]) -> dict[int, str]:
    """Return which partitions go where so that no worker has much more for each of its threads than others.

    Parameters
    ----------
    at : sequence of str
        Worker that has each partition.
    sizes : sequence of float
        Bytes of each.
    threads : mapping of str to int
        Threads of each worker.
    """
    load = {worker: sum(s for s, w in zip(sizes, at, strict=True) if w == worker) / n for worker, n in threads.items()}
    due, where, moves = sum(sizes) / sum(threads.values()), list(at), dict[int, str]()
    while True:
        low, high = min(load, key=load.__getitem__), max(load, key=load.__getitem__)
        fitting = [
            i for i, worker in enumerate(where) if worker == high and load[low] + sizes[i] / threads[low] < load[high]
        ]
        if load[high] <= UNEVEN * due or not fitting:
            return moves
        moved = min(
            fitting, key=lambda i: max(load[high] - sizes[i] / threads[high], load[low] + sizes[i] / threads[low])
        )
        load[high] -= sizes[moved] / threads[high]
        load[low] += sizes[moved] / threads[low]
        where[moved] = moves[moved] = low


def _client() -> Any:
    """Return the cluster that Dask's tasks go to; None where they run in this process."""
    from dask import config

    if config.get("scheduler", None) in ("sync", "synchronous", "single-threaded", "threads", "processes"):
        return None
    try:
        from distributed import default_client

        return default_client()
    except (ImportError, ValueError):
        return None


def _are_apart(parts: Sequence[Any]) -> bool:
    """Tell whether nothing is computed for two partitions together: only then one worker can read each by itself."""
    from dask.highlevelgraph import HighLevelGraph

    needs = HighLevelGraph.from_collections("partitions", dict(parts[0].dask)).get_all_dependencies()
    seen: set[Any] = set()
    for part in parts:
        own, todo = set[Any](), [part.key]
        while todo:
            key = todo.pop()
            if key in seen:
                return False
            if key not in own:
                own.add(key)
                todo += needs[key]
        seen |= own
    return True


def _read(client: Any, parts: Sequence[Any], turns: Sequence[str] | None) -> list[Any]:
    """Read partitions into the workers' memory, each on the worker whose turn it is, or on any."""
    from distributed import futures_of

    if turns is None:
        return [futures_of(kept)[0] for kept in client.persist(list(parts))]
    futures: dict[int, Any] = {}
    for worker in dict.fromkeys(turns[: len(parts)]):
        numbers = [i for i in range(len(parts)) if turns[i % len(turns)] == worker]
        kept = client.persist([parts[i] for i in numbers], workers=[worker], allow_other_workers=True)
        futures |= {i: futures_of(one)[0] for i, one in zip(numbers, kept, strict=True)}
    return [futures[i] for i in range(len(parts))]


def _all_there(futures: Sequence[Any]) -> bool:
    from distributed import wait

    wait(futures)
    return all(future.status == "finished" for future in futures)


def _even_out(client: Any, futures: list[Any], threads: Mapping[str, int], turns: Sequence[str] | None) -> list[str]:
    """Return where each partition is, after those were moved that another worker had read, or of which one has many.

    A worker without work takes a task from another: sums would then be added in another order each time.
    """
    there = client.who_has(futures)
    sizes = client.nbytes(keys=[future.key for future in futures], summary=False)
    at = [min(there[future.key], default=min(threads)) for future in futures]
    where = at if turns is None else [turns[i % len(turns)] for i in range(len(futures))]
    known = {worker: threads.get(worker, 1) for worker in {*threads, *where}}
    moves = moves_to_even_out(where, [sizes.get(future.key, 0) for future in futures], known)
    where = [moves.get(i, worker) for i, worker in enumerate(where)]
    for i in (i for i, worker in enumerate(where) if worker not in there[futures[i].key]):
        futures[i] = client.submit(_same, futures[i], workers=[where[i]], allow_other_workers=True, pure=False)
    return where


def _group(at: Sequence[str], threads: Mapping[str, int]) -> list[Group]:
    """Share each worker's partitions among its threads; groups by their first partition."""
    groups: list[Group] = []
    for worker in dict.fromkeys(at):
        numbers, n = [i for i, one in enumerate(at) if one == worker], threads.get(worker, 1)
        groups += [Group(worker, tuple(numbers[k::n])) for k in range(min(n, len(numbers)))]
    return sorted(groups, key=lambda group: group.numbers)


def _sum_group(parts: Sequence[Any], names: Sequence[str], work: _Work) -> Any:
    answers = (work.function(part, name, *work.args) for part, name in zip(parts, names, strict=True))
    return add_answers(answers, work.plus)


def _same(frame: Any) -> Any:
    return frame


def _bytes(frame: Any) -> int:
    return int(frame.memory_usage(index=True, deep=True).sum())


MOST_BYTES = 2**32
"""Of answers kept, 8 bytes a number; the model is asked again about chunks beyond."""


class AnsweredChunks:
    """Chunks that the model is asked about the first time that one's answers are looked at, and not again.

    Parameters
    ----------
    chunks : iterable of Chunk
        The same at each reading, as the passes over them see to.
    """

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = chunks
        self._file = ArrayFile()
        self._answers: dict[int, tuple[StoredArray, StoredArray | None, tuple[Hashable, ...] | None]] = {}

    def __iter__(self) -> Iterator[Chunk]:
        """Read the chunks."""
        for place, chunk in enumerate(self._chunks):
            yield replace(chunk, predict=partial(self._answer, place, chunk.predict))

    def _answer(self, place: int, predict: Callable[[], ModelOutput]) -> ModelOutput:
        if place in self._answers:
            first, scores, names = self._answers[place]
            return ModelOutput(self._file.read(first), None if scores is None else self._file.read(scores), names)
        output = predict()
        if self._file.n_bytes >= MOST_BYTES:
            return output
        scores = None if output.scores is None else self._file.write(output.scores)
        self._answers[place] = self._file.write(output.first), scores, output.names
        return output


class StoredArray(NamedTuple):
    """What of an array stays in memory.

    Attributes
    ----------
    start : int
        Where in the file it begins.
    names : list or None
        Labels that its numbers stand for.
    """

    start: int
    names: list[Any] | None


class ArrayFile:
    """A temporary file, which goes when this does.

    Attributes
    ----------
    n_bytes : int
        Written so far.
    """

    def __init__(self) -> None:
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115 - read again as long as this lives
        self.n_bytes = 0
        finalize(self, self._file.close)

    def write(self, array: NDArray[Any]) -> StoredArray:
        """Append an array; one of labels as their places among them."""
        numbers, names = (array, None) if array.dtype.kind in "biuf" else labels.factorize(array)
        start = self._file.seek(self.n_bytes)
        np.save(self._file, numbers, allow_pickle=False)
        self.n_bytes = self._file.tell()
        return StoredArray(start, names)

    def read(self, stored: StoredArray) -> NDArray[Any]:
        """Return an array as it was given."""
        self._file.seek(stored.start)
        numbers = np.load(self._file, allow_pickle=False)
        if stored.names is None:
            return numbers
        table = np.empty(len(stored.names), dtype=object)
        table[:] = stored.names
        return table[numbers]
