"""Peers, each in an environment of its own, since they run on versions that Tauscope does not."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
SHARED = ("scikit-learn==1.9.1",)  # one model, fitted alike in every environment


@dataclass(frozen=True)
class Peer:
    """A package, and what it runs on."""

    name: str
    requirements: tuple[str, ...]
    python: tuple[int, int] = (3, 11)

    @property
    def environment(self) -> Path:
        """Where it is installed."""
        return HERE / f".venv-{self.name}"

    def interpreter(self) -> Path:
        """Python of the environment, made on first use.

        Raises
        ------
        SystemExit
            When there is no Python of the version for which all the pinned versions have wheels.
        """
        python, complete = self.environment / "bin" / "python", self.environment / "complete"
        if complete.exists():
            return python
        print(f"making {self.environment.name} for {self.requirements[0]} (once)", file=sys.stderr)
        shutil.rmtree(self.environment, ignore_errors=True)
        subprocess.run([_find_python(self.python), "-m", "venv", str(self.environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *self.requirements], check=True)
        complete.touch()
        return python


ETHIK = Peer("ethik", ("ethik==0.0.4", "pandas==1.5.3", "numpy==1.26.4", "plotly==5.24.1"))


def _find_python(wanted: tuple[int, int]) -> str:
    """Return a Python of a version: this one, one on the PATH, or one that pyenv keeps."""
    if sys.version_info[:2] == wanted:
        return sys.executable
    version = ".".join(map(str, wanted))
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (shutil.which(f"python{version}"), *sorted(kept.glob(f"{version}.*/bin/python"))):
        # a shim of pyenv is on the PATH for versions that it does not run here
        if found and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0:
            return str(found)
    raise SystemExit(
        f"This comparison needs Python {version} (the pinned versions of the other package have no wheels for others); "
        f"this is {sys.version.split()[0]} and no python{version} is on the PATH. "
        "Install one, or name only cases that need no peer (see benchmarks/README.md)."
    )
