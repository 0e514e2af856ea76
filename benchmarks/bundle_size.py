"""Kilobytes that travel to the page for each widget."""

import gzip
from pathlib import Path

from jupyterlab_session import ROOT
from report import Row

STATIC = ROOT / "src" / "tauscope" / "static"
LIMIT = 120.0


def measure() -> list[Row]:
    """Script and style sheet of each view, compressed as a web server would."""
    scripts = sorted(STATIC.glob("*/*.js"))
    if not scripts:
        raise SystemExit(f"No bundle in {STATIC.relative_to(ROOT)}: run `npm run build` in js/.")
    return [_row(script) for script in scripts]


def _row(script: Path) -> Row:
    files = [path for path in (script, script.with_suffix(".css")) if path.exists()]
    contents = [path.read_bytes() for path in files]
    return Row(
        f"bundle of {script.parent.name}/{script.stem}, gzip",
        "kB",
        ours=sum(len(gzip.compress(content, 9)) for content in contents) / 1e3,
        at_most=LIMIT,
        note=f"{' + '.join(path.name for path in files)}; {sum(map(len, contents)) / 1e3:.0f} kB before compression",
    )
