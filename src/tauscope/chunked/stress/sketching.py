"""The readings that make a sketch: ranges and levels, then quantiles where those leave them open, then sums."""

from tauscope.chunked.first_pass import FirstPass
from tauscope.chunked.passes import Passes
from tauscope.chunked.stress.sketch_plan import (
    TaskOptions,
    Windows,
    add_windows,
    begin_reading,
    make_plan,
    read_windows,
    settled,
    wanted_windows,
)
from tauscope.chunked.stress.sketch_sums import Sums, sum_chunk
from tauscope.errors import InputError

CHANGED = (
    "Rows must be the same at every reading; these were others the last time. Give a function that starts anew, or "
    "frame.persist()."
)


def make_sums(passes: Passes, asked: TaskOptions, quantile: float) -> Sums:
    """Read rows two or three times and return their sums.

    Parameters
    ----------
    passes : Passes
        The model is asked at the last one, and once before about the first chunk.
    asked : TaskOptions
    quantile : float
        Probability in (0, 0.5) of the quantiles that τ = ±1 will stand for.

    Raises
    ------
    InputError
        For no rows, or chunks that do not go together.
    """
    survey: FirstPass | None = passes.total(FirstPass.of, plus=FirstPass.__add__)
    if survey is None:
        raise InputError("A sketch needs at least one row; there are none. See what filtered them.")
    survey.check_weight()
    wanted, windows = wanted_windows(survey, quantile), settled(survey)
    if windows is None:
        read: Windows | None = passes.total(read_windows, wanted, plus=add_windows)
        assert read is not None
        windows = read
    begun = passes.first(begin_reading, survey.y, asked)
    plan = make_plan(survey, windows, wanted, begun, asked, quantile)
    sums: Sums | None = passes.total(sum_chunk, plan, plus=Sums.__add__)
    if sums is None or sums.n_rows != survey.n_rows:
        raise InputError(CHANGED)
    return sums
