"""Columns as pixels: how they are laid out, what is said of them, what is refused."""

import numpy as np
import pytest

from study.boundary import bags
from tauscope.errors import InputError
from tauscope.results.boundary.pictures import ImageShape, picture_names, read_shape, shade_range
from wire import write_boundary


def found(**options):
    return write_boundary.word_study().boundary(7, random_state=0, progress=False, metric="euclidean", **options)


def test_a_shape_is_read():
    assert read_shape((4, 5), found()._numbers) == ImageShape(4, 5, 1)
    assert read_shape([2, 2, 5], found()._numbers) == ImageShape(2, 2, 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((4, 4), r"4 × 4 is 16 pixels, and there are 20 columns"),
        ((20,), r"\(height, width\)"),
        ((2.5, 8), "whole numbers; got"),
        ("4x5", "Try shape="),
    ],
)
def test_another_shape_is_refused(shape, words):
    with pytest.raises(InputError, match=words):
        read_shape(shape, found()._numbers)


def test_levels_are_no_pixels():
    mixed = write_boundary.study(2).boundary(7, random_state=0, progress=False, n_samples=40)
    with pytest.raises(InputError, match="Pixels are numbers; '<b>level</b>' has levels"):
        read_shape((2, 2), mixed._numbers)


def test_sparse_pixels_are_not_drawn():
    sparse = bags.study().boundary(7, **bags.QUIET)
    with pytest.raises(InputError, match="Pictures take rows in a frame or a dense array"):
        sparse.chart("image", shape=(6, 10))


def test_three_channels_are_shown_and_of_others_the_mean():
    points = np.arange(12.0)
    assert ImageShape(2, 2, 3).shades(points).tolist() == points.reshape(4, 3).tolist()
    assert ImageShape(2, 3, 2).shades(points).tolist() == [[0.5], [2.5], [4.5], [6.5], [8.5], [10.5]]
    assert ImageShape(3, 4, 1).shades(np.stack([points, points])).shape == (2, 12, 1)


def test_a_direction_adds_up_its_channels_over_the_largest():
    leans = ImageShape(1, 2, 2).leans(np.array([1.0, 2.0, -4.0, np.nan]))
    assert leans.tolist() == [0.75, -1.0]
    assert ImageShape(1, 2, 1).leans(np.zeros(2)).tolist() == [0, 0]


def test_black_and_white_are_the_ends_that_are_there():
    assert shade_range(np.array([[3.0, np.nan], [16.0, 0.0]])) == (0.0, 16.0)
    assert shade_range(np.array([2.0, 2.0])) == (2.0, 3.0)
    assert shade_range(np.array([np.nan])) == (0.0, 1.0)


def test_the_pictures_are_named_with_what_is_decided():
    result = found()
    assert picture_names(result) == (
        "row 7: ham",
        "nearest flip: spam",
        f"rival, row {result.rival_row}: spam",
        "direction across: blue darker, orange brighter",
    )
    values = write_boundary.word_counts().iloc[7]
    given = write_boundary.word_study().boundary(values, random_state=0, progress=False, fixed=list(values.index))
    assert picture_names(given)[:2] == ("the row given: ham", "nearest flip: none")
