"""Partitions kept in the memory of a cluster's workers from the first pass on, so that none is read twice."""

# Dask ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHARE = 0.5
"""Of all workers' memory that partitions may take."""


def keep_partitions(parts: Sequence[Any]) -> list[Any]:
    """Have a cluster's workers keep partitions as they are first computed, where there is a cluster and they fit.

    Parameters
    ----------
    parts : sequence of dask.delayed.Delayed

    Returns
    -------
    list of Delayed
        Empty where they are not kept: without a cluster, whose rows would be in this process, or where so many
        partitions as large as the first would take more than half of the workers' memory.
    """
    client = _client()
    if client is None or not parts:
        return []
    first = client.persist(parts[0])
    try:
        size = int(client.compute(_size(first)).result())
    except Exception:  # it fails again in the pass, which says where and why
        return []
    if size * len(parts) > SHARE * workers_memory(client):
        return []
    return [first, *client.persist(list(parts[1:]))]


def workers_memory(client: Any) -> float:
    """Return the bytes that all workers of a cluster may take; those without a limit have their machine's."""
    from distributed.system import MEMORY_LIMIT

    try:
        about = client.scheduler_info(n_workers=-1)
    except TypeError:  # before 2025 it always was of all workers
        about = client.scheduler_info()
    return float(sum(worker["memory_limit"] or MEMORY_LIMIT for worker in about["workers"].values()))


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


def _size(part: Any) -> Any:
    from dask.delayed import delayed

    return delayed(_bytes)(part)


def _bytes(frame: Any) -> int:
    return int(frame.memory_usage(index=True, deep=True).sum())
