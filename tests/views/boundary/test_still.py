import re
import zlib
from base64 import b64decode
from struct import unpack

from tauscope.results.boundary.pictures import read_shape
from tauscope.views.boundary.still import boundary_pictures
from wire import write_boundary


def drawn(**options):
    bounds = dict.fromkeys(write_boundary.WORDS, (0, 2))
    found = write_boundary.word_study().boundary(
        7, random_state=0, progress=False, metric="euclidean", n_samples=40, bounds=bounds, **options
    )
    return found, boundary_pictures(found, read_shape(write_boundary.IMAGE, found._numbers))


def pixels(page, k):
    """Decode a picture again: red, green and blue of each pixel, row by row."""
    png = b64decode(re.findall('base64,([^"]+)"', page)[k])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = unpack(">II", png[16:24])
    assert (height, width) == write_boundary.IMAGE
    size = unpack(">I", png[33:37])[0]
    lines = zlib.decompress(png[41 : 41 + size])
    stride = 3 * width + 1
    return [tuple(lines[r * stride + 1 + 3 * c :][:3]) for r in range(height) for c in range(width)]


def test_four_pictures_have_their_names():
    found, page = drawn()
    alts = re.findall('alt="([^"]+)"', page)
    assert alts == [
        "row 7: ham",
        "nearest flip: spam",
        f"rival, row {found.rival_row}: spam",
        "direction across: blue darker, orange brighter",
    ]


def test_shades_run_from_black_to_white_and_leans_to_the_themes_ends():
    found, page = drawn()
    row = pixels(page, 0)
    assert {row[k] for k, value in enumerate(found.value) if value == 0} == {(0, 0, 0)}
    assert {row[k] for k, value in enumerate(found.value) if value == 1} == {(128, 128, 128)}
    direction = found.direction.reset_index(drop=True)
    strongest = int(direction.abs().argmax())
    assert pixels(page, 3)[strongest] == ((196, 78, 0) if direction[strongest] > 0 else (0, 114, 178))


def test_what_was_not_found_is_left_out():
    _, page = drawn(fixed=list(write_boundary.WORDS))
    assert page.count("<img") == 1
