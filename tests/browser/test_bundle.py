"""What every widget carries along, into each saved page, stays small."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "src" / "tauscope" / "static"
MOST_KILOBYTES = 120
ALL_TOGETHER = {"workspace/workspace": 165}
STYLE_KILOBYTES = 15


def views_of(scripts: Iterable[Path]) -> set[str]:
    """Room and name of each view that has a script: "stress/curves"."""
    return {f"{path.parent.name}/{path.stem}" for path in scripts}


VIEWS = views_of(path for path in STATIC.glob("*/*.js") if path.parent.name != "sharing")
"""Without what saved pages have for a chart, whose size is that of the pages."""


@pytest.mark.parametrize("view", sorted(VIEWS))
def test_bundle_is_small(view: str) -> None:
    for kind, most in (("js", ALL_TOGETHER.get(view, MOST_KILOBYTES)), ("css", STYLE_KILOBYTES)):
        assert 0 < len(gzip.compress((STATIC / f"{view}.{kind}").read_bytes(), 9)) <= 1000 * most


def test_every_view_has_its_bundle() -> None:
    views = Path(__file__).parents[2] / "js" / "src" / "views"
    assert views_of(entry.parent for entry in views.glob("*/*/index.ts")) == VIEWS


def test_what_jupyterlab_loads_is_small() -> None:
    assert 1000 < (STATIC / "labextension.js").stat().st_size <= 20_000
