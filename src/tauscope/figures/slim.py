"""A picture in fewer characters: what stands in for a widget is stored twice with each output of a notebook."""

import re

# Values may hold "<" and ">": a tag ends outside of its quotes.
TAG = re.compile(r'<(?:[^<>"]|"[^"]*")*>')
UNSEEN = re.compile(r' (?:(?:aria-[\w-]+|role|class|pointer-events)="[^"]*"|opacity="1")')
# Not a scale, nor what is thin.
PLACES = re.compile(r' (?:d="[^"]*"|transform="translate\([^"()]*\)"|[xy][12]?="[^"]*")')
LONG = re.compile(r"\d+\.\d{2,}(?![\de])")
RGB = re.compile(r'"rgb\((\d+), ?(\d+), ?(\d+)\)"')
NOTHING = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>')


def slim(svg: str) -> str:
    """Leave out of an SVG what a picture does not show, and places finer than a tenth of a pixel.

    Parameters
    ----------
    svg : str
        As vl-convert writes it, with a label in words for each mark; those of the picture as a whole stand beside it.

    Returns
    -------
    str
        The same picture. Text within is left as it is.
    """
    return NOTHING.sub("", TAG.sub(lambda tag: _slim_tag(tag[0]), svg))


def _slim_tag(tag: str) -> str:
    seen = RGB.sub(lambda rgb: '"#' + "".join(f"{int(part):02x}" for part in rgb.groups()) + '"', UNSEEN.sub("", tag))
    return PLACES.sub(lambda places: LONG.sub(lambda number: _tenth(number[0]), places[0]), seen)


def _tenth(number: str) -> str:
    return f"{float(number):.1f}".removesuffix(".0")
