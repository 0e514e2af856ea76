import math
from itertools import combinations

import altair as alt
import pytest

from architecture.tree import ROOT
from tauscope.figures import theme

# Machado, Oliveira, Fernandes (2009), severity 1, on linear RGB.
VISIONS = {
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}


def linear(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def lab(rgb):
    """CIE L*a*b* of linear RGB, D65."""
    weights = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(w * c for w, c in zip(row, rgb, strict=True)) for row in weights]
    ratios = [one / white for one, white in zip(xyz, (0.9505, 1, 1.089), strict=True)]
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def contrast(color, ground):
    lightness = [
        sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(one), strict=True)) for one in (color, ground)
    ]
    return (max(lightness) + 0.05) / (min(lightness) + 0.05)


@pytest.mark.parametrize("color", [*theme.PALETTE, theme.INK, theme.MUTED, theme.ACCENT])
def test_text_in_every_colour_reads_on_paper(color):
    assert contrast(color, theme.PAPER) >= 4.5


def test_idle_lines_stand_out_as_in_the_widget():
    assert contrast(theme.IDLE, theme.PAPER) >= 3
    assert theme.IDLE in (ROOT / "js" / "src" / "theme" / "theme.ts").read_text("utf-8")


@pytest.mark.parametrize("vision", VISIONS)
def test_first_five_colours_differ_for_colour_blind_eyes(vision):
    matrix = VISIONS[vision]
    seen = [
        lab([min(max(sum(m * c for m, c in zip(row, linear(color), strict=True)), 0), 1) for row in matrix])
        for color in theme.PALETTE[:5]
    ]
    for one, other in combinations(seen, 2):
        assert math.dist(one, other) > 20


def test_accent_leads_the_palette():
    assert theme.PALETTE[0] == theme.ACCENT


def test_config_is_valid_vega_lite():
    alt.Config(**theme.vega_config()).to_dict()
