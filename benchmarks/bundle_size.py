"""Kilobytes that travel to the page for the widget."""

import gzip

from jupyterlab_session import ROOT
from report import Row

STATIC = ROOT / "src" / "tauscope" / "static"
LIMIT = 120.0


def measure() -> list[Row]:
    """Script and style sheet, compressed as a web server would."""
    files = sorted(path for path in STATIC.glob("stress_curves.*") if path.suffix in {".js", ".css"})
    if not files:
        raise SystemExit(f"No bundle in {STATIC.relative_to(ROOT)}: run `npm run build` in js/.")
    contents = [path.read_bytes() for path in files]
    zipped = sum(len(gzip.compress(content, 9)) for content in contents) / 1e3
    return [
        Row(
            "bundle of the widget, gzip",
            "kB",
            ours=zipped,
            at_most=LIMIT,
            note=f"{' + '.join(path.name for path in files)}; "
            f"{sum(map(len, contents)) / 1e3:.0f} kB before compression",
        )
    ]
