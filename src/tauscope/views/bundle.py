"""The built script and style sheet of a view."""

import gzip
import os
from base64 import b64decode, b64encode
from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
HEAD, TAIL = (
    'const packed = "',
    """";
const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
const url = URL.createObjectURL(new Blob([await text], { type: "text/javascript" }));
export default (await import(url)).default;
URL.revokeObjectURL(url);
""",
)
"""Around a script that was packed: it is copied into every notebook saved with the state of its widgets."""
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
        Their text, the script's packed: of a path anywidget watches the file, and what watches keeps every widget
        there was, with its result and rows, for good. Paths for who asks for that, with ANYWIDGET_HMR=1, while working
        on a script.

    Raises
    ------
    FileNotFoundError
        In a checkout that has not been built; says how to.
    """
    script, style = built(f"{view}.js"), built(f"{view}.css")
    if os.environ.get("ANYWIDGET_HMR") == "1":
        return script, style
    return packed_script(script.read_text("utf-8")), style.read_text("utf-8")


def built(name: str) -> Path:
    """Find what the build of `js` left; where it is not there, say how to build, as a FileNotFoundError."""
    path = STATIC / name
    if not path.is_file():
        raise FileNotFoundError(
            f"The page's scripts must be built before one can be shown; {path.name} is not in {path.parent}. "
            f"Wheels carry them; in a checkout run: {BUILD}"
        )
    return path


def packed_script(script: str) -> str:
    """Return a module that unpacks another and stands for it."""
    return f"{HEAD}{b64encode(gzip.compress(script.encode(), 6, mtime=0)).decode('ascii')}{TAIL}"


def plain_script(script: str) -> str:
    """Return a script as it was before it was packed, or as it is."""
    if not (script.startswith(HEAD) and script.endswith(TAIL)):
        return script
    return gzip.decompress(b64decode(script[len(HEAD) : -len(TAIL)])).decode()
