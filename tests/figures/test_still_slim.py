"""A picture in fewer characters is the same picture."""

from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import vl_convert

import tauscope as ts
from tauscope.figures.chart import picture
from tauscope.figures.still import slim

NAMES = ['a role="x" 0.123456', "b > c <d>", "e"]


def surface() -> str:
    """The picture of a map, of columns whose names look like tags and numbers."""
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 3))
    frame = pd.DataFrame(X, columns=NAMES)
    study = ts.Study.from_predictions(frame, X[:, 0] > 0, X[:, 0] + random.normal(size=200) > 0)
    drawn = picture(study.stress_surface(*NAMES[:2], taus=7).chart())
    assert drawn is not None
    return drawn["image/svg+xml"]


def pixels(svg: str) -> np.ndarray:
    """What is seen of an SVG."""
    from io import BytesIO

    from matplotlib.image import imread

    return imread(BytesIO(vl_convert.svg_to_png(svg, scale=1)))


@pytest.mark.slow
def test_same_picture_in_half_of_the_characters() -> None:
    svg = surface()
    short = slim(svg)
    assert len(short) < len(svg) / 2
    assert "aria-label" not in short
    assert np.abs(pixels(short).astype(float) - pixels(svg)).mean() < 0.005


@pytest.mark.slow
def test_words_are_left_as_they_are() -> None:
    svg = surface()
    said, before = (
        ["".join(node.itertext()) for node in ElementTree.fromstring(text).iter()] for text in (slim(svg), svg)
    )
    assert [words for words in said if words] == [words for words in before if words]
    assert any(NAMES[0] in words for words in said)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('<path d="M257.214,300.4512h18.4v0.02h-18Z" class="x"/>', '<path d="M257.2,300.5h18.4v0h-18Z"/>'),
        (
            '<g transform="translate(1.005,2.25) scale(0.0125)"/>',
            '<g transform="translate(1.005,2.25) scale(0.0125)"/>',
        ),
        ('<g transform="translate(12.345,2)"/>', '<g transform="translate(12.3,2)"/>'),
        ('<path d="M1.5e-7,2" fill="rgb(0, 114, 178)" opacity="1"/>', '<path d="M1.5e-7,2" fill="#0072b2"/>'),
        ('<path d="M0,0h0v0h0Z"/><path d="" display="none"/>', ""),
        ('<text aria-label="1 > 0">role="x" 1.2345</text>', '<text>role="x" 1.2345</text>'),
    ],
)
def test_tags(given: str, expected: str) -> None:
    assert slim(given) == expected
