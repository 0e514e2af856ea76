"""Units on several cores: in order, with the first one's error, and as joblib counts workers."""

import os
import signal
import time
from contextlib import nullcontext
from threading import Lock

import joblib
import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tauscope.errors import InputError, UnknownName
from tauscope.model import jobs
from tauscope.model.jobs import check_n_jobs, mapped, one_blas_thread, run_units
from tauscope.model.progress_bar import bars_shown
from tauscope.prediction.stopping import Stopped, step, stoppable


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def in_threads(n_jobs):
    return joblib.parallel_config("threading", n_jobs=n_jobs)


def failing(unit):
    time.sleep(0.2 if unit == 1 else 0)
    if unit in (1, 3):
        raise UnknownName.among("unit", str(unit), ("a", "b"))
    return unit


@pytest.mark.parametrize("around", [nullcontext, lambda: in_threads(2)])
def test_answers_come_in_the_order_of_the_units(around):
    def slow_first(unit):
        time.sleep(0.02 * (4 - unit))
        return unit, blas_threads()

    with around():
        answers = list(run_units(slow_first, range(5), None))
    assert [unit for unit, _ in answers] == [0, 1, 2, 3, 4]
    assert all(set(threads) == {1} for _, threads in answers)


def test_threads_of_blas_come_back_when_the_last_unit_is_done():
    before = blas_threads()
    with one_blas_thread(), one_blas_thread():
        assert set(blas_threads()) == {1}
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        raise ZeroDivisionError
    assert blas_threads() == before


@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("around", [nullcontext, lambda: in_threads(3)])
def test_the_first_unit_that_fails_raises_as_on_one_core(n_jobs, around):
    answers = run_units(failing, range(5), n_jobs)
    with around():
        assert next(answers) == 0
        with pytest.raises(UnknownName, match="'1'"):
            next(answers)


@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_units_can_follow_from_the_answers_before(n_jobs):
    answers, ahead = [], []

    def units():
        for unit in range(200):
            if len(answers) >= 5:
                return
            ahead.append(unit - len(answers))
            yield unit

    for answer in run_units(lambda unit: unit**2, units(), n_jobs, one_by_one=True):
        answers.append(answer)
    assert answers == [unit**2 for unit in range(len(answers))]
    if n_jobs is None:  # each is read once the answer before it was taken
        assert set(ahead) == {0}
        assert len(answers) == 5


@pytest.mark.slow
def test_units_that_go_one_by_one_are_not_each_sent_the_function():
    sent = []

    class Doubling:
        def __call__(self, unit):
            time.sleep(0.02)
            return 2 * unit

        def __getstate__(self):
            sent.append(self)
            return {}

    assert list(run_units(Doubling(), range(100), 2, one_by_one=True)) == list(range(0, 200, 2))
    assert len(sent) < 50


@pytest.mark.slow
def test_a_process_keeps_no_file_of_the_functions_arrays_which_would_be_waited_for():
    large = np.zeros(300_000)

    def shared(unit):
        return isinstance(large, np.memmap)

    assert all(list(run_units(shared, range(8), 2)))
    assert not any(list(run_units(shared, range(8), 2, one_by_one=True)))


@pytest.mark.slow
def test_a_process_that_has_not_the_function_any_more_gets_it_again():
    def forgetful(unit):
        jobs._kept.clear()
        if unit == 30:
            raise UnknownName("30")
        return -unit

    answers = run_units(forgetful, range(40), 2, one_by_one=True)
    assert [next(answers) for _ in range(30)] == [-unit for unit in range(30)]
    with pytest.raises(UnknownName, match="30"):
        next(answers)


@pytest.mark.slow
def test_local_functions_and_large_arrays_go_to_other_processes():
    column = np.arange(300_000.0)
    found = list(run_units(lambda power: float((column**power).sum()), [1, 2], -1))
    assert found == [float(column.sum()), float((column**2).sum())]


@pytest.mark.slow
def test_large_arrays_can_be_written_to_where_they_went():
    large = np.zeros(300_000)

    def write(unit):
        large[unit] += 1
        return float(large[unit])

    assert list(run_units(write, range(4), 2)) == [1.0] * 4
    assert not large.any()


@pytest.mark.slow
def test_a_process_that_ends_is_told_of_and_the_next_question_answered():
    units = [os.getpid()] * 4
    end = lambda main: os.kill(os.getpid(), signal.SIGKILL) if os.getpid() != main else None  # noqa: E731
    with pytest.raises(InputError, match=r"n_jobs=2 .* one ended before it answered: .* n_jobs=1"):
        list(run_units(end, units, 2))
    assert list(run_units(lambda unit: unit, range(3), 2)) == [0, 1, 2]


@pytest.mark.slow
def test_what_cannot_be_handed_over_says_so_and_what_to_do():
    lock = Lock()

    def locked(unit):
        with lock:
            return unit * 2

    with pytest.raises(InputError, match=r"n_jobs=2 hands .* other processes, and they cannot be: .*n_jobs=1"):
        list(run_units(locked, range(3), 2))
    with in_threads(2):
        assert list(run_units(locked, range(3), None)) == [0, 2, 4]


@pytest.mark.parametrize("around", [nullcontext, lambda: in_threads(2)])
def test_work_stops_between_units_and_inside_them(around):
    done = []

    def unit_of_steps(unit):
        done.append(unit)
        step()
        return unit

    with around(), stoppable(lambda: len(done) >= 3), pytest.raises(Stopped):
        list(run_units(unit_of_steps, range(1000), None))
    assert len(done) < 1000


def test_a_reader_that_stops_early_is_not_warned_of_what_was_computed(recwarn):
    with in_threads(2):
        answers = run_units(lambda unit: unit, range(50), None)
        assert next(answers) == 0
        answers.close()
    assert not recwarn.list


def test_units_are_mapped_with_a_bar_or_without():
    with bars_shown(False):
        assert list(mapped(1, "Counting", 3, "unit")(lambda unit: unit + 1, iter([1, 2, 3]))) == [2, 3, 4]


def test_no_workers_are_refused():
    check_n_jobs(None)
    check_n_jobs(-2)
    with pytest.raises(InputError, match=r"n_jobs must be a number of workers: .*; got 0\. Try -1"):
        check_n_jobs(0)
