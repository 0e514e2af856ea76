"""Dates as the engines have them: decimal years, so that their mean is the mean date."""

import numpy as np
from numpy.typing import NDArray

from tauscope.weights.arrays import Floats

DAYS_PER_YEAR = 365.2425


def to_decimal_years(dates: NDArray[np.datetime64]) -> Floats:
    """Return dates as decimal years of 365.2425 days; NaT becomes NaN."""
    return 1970 + (dates - np.datetime64(0, "s")) / np.timedelta64(1, "D") / DAYS_PER_YEAR


def to_dates(years: Floats) -> NDArray[np.datetime64]:
    """Return decimal years as dates to the second; NaN becomes NaT."""
    seconds = np.round((years - 1970) * DAYS_PER_YEAR * 86_400)
    missing = np.isnan(seconds)
    dates = np.where(missing, 0, seconds).astype(np.int64).astype("datetime64[s]")
    dates[missing] = np.datetime64("NaT")
    return dates
