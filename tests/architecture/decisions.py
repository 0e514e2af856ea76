"""What was decided, a page each in docs/decisions; writes their index: python tests/architecture/decisions.py"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from architecture.tree import ROOT

FOLDER = ROOT / "docs/decisions"
INDEX = FOLDER / "README.md"


def pages() -> list[Path]:
    return sorted(FOLDER.glob("[0-9]*.md"))


def index() -> str:
    titles = [(path.name, path.read_text("utf-8").splitlines()[0].removeprefix("# ")) for path in pages()]
    lines = [f"- [{title}]({name})" for name, title in titles]
    return "\n".join(["# Decisions", "", "Written by `tests/architecture/decisions.py`.", "", *lines]) + "\n"


if __name__ == "__main__":
    INDEX.write_text(index(), "utf-8")
