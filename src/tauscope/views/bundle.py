"""The built script and style sheet of a view."""

from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"


def bundle(view: str) -> tuple[Path, Path]:
    """Find what esbuild made of `js/src/views/<view>/index.ts`.

    Parameters
    ----------
    view : str
        Room and name, the same in Python and TypeScript: "stress/curves".

    Returns
    -------
    script, style : Path

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
                "Wheels carry it; in a checkout run: npm --prefix js ci && npm --prefix js run build"
            )
    return script, style
