"""The authors' package in an environment of its own, since it runs on versions that Tauscope does not."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ENVIRONMENT = HERE / ".venv-ethik"
REQUIREMENTS = ("ethik==0.0.4", "pandas==1.5.3", "numpy==1.26.4", "plotly==5.24.1")
COMPLETE = ENVIRONMENT / "complete"


def interpreter() -> Path:
    """Python of the peer's environment, made on first use.

    Raises
    ------
    SystemExit
        When there is no Python 3.11, the only one for which all the pinned versions have wheels.
    """
    python = ENVIRONMENT / "bin" / "python"
    if COMPLETE.exists():
        return python
    print(f"making {ENVIRONMENT.name} for {REQUIREMENTS[0]} (once)", file=sys.stderr)
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    subprocess.run([python_3_11(), "-m", "venv", str(ENVIRONMENT)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    COMPLETE.touch()
    return python


def python_3_11() -> str:
    """Find a Python 3.11."""
    if sys.version_info[:2] == (3, 11):
        return sys.executable
    found = shutil.which("python3.11")
    if found is None:
        raise SystemExit(
            f"The comparison needs Python 3.11 ({REQUIREMENTS[1]} has no wheel for later ones); "
            f"this is {sys.version.split()[0]} and no python3.11 is on the PATH. "
            "Install one, or name only cases that need no peer (see benchmarks/README.md)."
        )
    return found
