import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import tauscope as ts

ANSWERS = np.arange(60) % 2
PIXELS = np.random.default_rng(0).integers(0, 9, size=(60, 4)).astype(float)


def image(columns):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return ts.Study.from_predictions(columns, ANSWERS, ANSWERS).stress_image((2, 2))


@pytest.mark.parametrize(
    "columns",
    [
        PIXELS.astype(object),
        pd.DataFrame(PIXELS, dtype=object),
        np.vectorize(lambda value: Decimal(int(value)))(PIXELS),
    ],
    ids=["objects", "a frame of objects", "decimals"],
)
def test_numbers_in_objects_are_numbers(columns):
    np.testing.assert_allclose(image(columns)._curves.value, image(PIXELS)._curves.value)


def test_dates_are_pixels_in_years():
    days = pd.DataFrame(np.datetime64("2020-01-01", "ns") + PIXELS.astype(int).astype("timedelta64[D]"))
    np.testing.assert_allclose(image(days)._curves.ess, image(PIXELS)._curves.ess, rtol=1e-6)


@pytest.mark.parametrize(("offset", "step"), [(1e8, 2.0**-10), (2.0**52, 1.0)])
def test_pixels_far_from_zero_are_those_about_it(offset, step):
    result = image(offset + step * PIXELS)
    assert not [note for note in result.notes if "cannot be moved" in note]
    np.testing.assert_allclose(result._curves.value, image(PIXELS)._curves.value, atol=1e-9)
    np.testing.assert_allclose(result._curves.ess, image(PIXELS)._curves.ess, rtol=1e-9)
