import numpy as np

from tauscope.data.dates import to_dates, to_decimal_years


def test_a_date_comes_back_to_the_second():
    dates = np.array(["1815-06-18T11:30:00", "1970-01-01", "2024-02-29T23:59:59", "NaT"], dtype="datetime64[s]")
    years = to_decimal_years(dates)
    assert years[1] == 1970
    assert np.isnan(years[3])
    assert np.array_equal(to_dates(years), dates, equal_nan=True)
