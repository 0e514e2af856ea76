"""Freed memory is kept while a partition is summed, where Dask has it returned, and returned afterwards."""

import subprocess
import sys
from threading import Barrier, Thread

import pytest

from tauscope.rows import allocator
from tauscope.rows.allocator import KEPT, LARGEST, MMAP_THRESHOLD, TRIM_THRESHOLD, freed_blocks_kept

FAULTS = """
import resource
import numpy as np
from contextlib import nullcontext
from tauscope.rows.allocator import freed_blocks_kept

def faults(around):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    with around():
        for _ in range(200):
            np.zeros(200_000) + 1.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

print(faults(nullcontext), faults(freed_blocks_kept), faults(nullcontext))
"""


class Library:
    def __init__(self):
        self.said = []

    def mallopt(self, which, value):
        self.said.append((which, value))

    def malloc_trim(self, pad):
        self.said.append("trim")


@pytest.fixture
def library(monkeypatch):
    made = Library()
    monkeypatch.setattr(allocator, "_glibc", lambda: made)
    return made


def test_what_was_set_is_put_back_once_the_last_thread_is_done(library, monkeypatch):
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    inside = Barrier(2)

    def work():
        with freed_blocks_kept():
            inside.wait()

    threads = [Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert library.said == [(MMAP_THRESHOLD, LARGEST), (TRIM_THRESHOLD, KEPT)] * 2 + [
        (MMAP_THRESHOLD, allocator.MMAP_DEFAULT), (TRIM_THRESHOLD, 65536), "trim",
    ]  # fmt: skip


def test_an_error_puts_it_back_too(library, monkeypatch):
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    with pytest.raises(ZeroDivisionError), freed_blocks_kept():
        raise ZeroDivisionError
    assert library.said[-1] == "trim"


@pytest.mark.parametrize("value", [None, "", "many"])
def test_a_process_that_was_not_told_to_return_memory_is_left_alone(library, monkeypatch, value):
    monkeypatch.delenv("MALLOC_TRIM_THRESHOLD_", raising=False)
    if value is not None:
        monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", value)
    with freed_blocks_kept():
        pass
    assert library.said == []


def test_other_libraries_have_nothing_to_set(monkeypatch):
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "65536")
    monkeypatch.setattr(allocator.sys, "platform", "darwin")
    allocator._glibc.cache_clear()
    try:
        assert allocator._glibc() is None
        with freed_blocks_kept():
            pass
    finally:
        allocator._glibc.cache_clear()


@pytest.mark.slow
@pytest.mark.skipif(allocator._glibc() is None, reason="of glibc")
def test_arrays_cost_page_faults_once_instead_of_each_time():
    done = subprocess.run(
        [sys.executable, "-c", FAULTS],
        env={"MALLOC_TRIM_THRESHOLD_": "65536", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    before, kept, after = map(int, done.stdout.split())
    assert kept < before / 10
    assert after > before / 2
