"""The built script and style sheet of a view."""

import os
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
BUILD = "npm --prefix js ci && npm --prefix js run build"


def bundle(view: str) -> tuple[str | Path, str | Path]:
    """Read what esbuild made of `js/src/views/<view>/index.ts`.

    Parameters
    ----------
    view : str
        Room and name, the same in Python and TypeScript: "stress/curves".

    Returns
    -------
    script, style : str or Path
        Their text: of a path anywidget watches the file, and what watches keeps every widget there was, with its
        result and rows, for good. Paths for who asks for that, with ANYWIDGET_HMR=1, while working on a script.

    Raises
    ------
    FileNotFoundError
        In a checkout that has not been built; says how to.
    """
    script, style = STATIC / f"{view}.js", STATIC / f"{view}.css"
    for path in (script, style):
        if not path.is_file():
            raise FileNotFoundError(
                f"The widget's script must be built before it can be shown; {path.name} is not in {path.parent}. "
                f"Wheels carry it; in a checkout run: {BUILD}"
            )
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return script, style
    return script.read_text("utf-8"), style.read_text("utf-8")
