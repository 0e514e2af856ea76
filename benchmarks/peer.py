"""Peers, each in an environment of its own, since they run on versions that Tauscope does not."""

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

    @property
    def environment(self) -> Path:
        """Where it is installed."""
        return HERE / f".venv-{self.name}"

    def interpreter(self) -> Path:
        """Python of the environment, made on first use.

        Raises
        ------
        SystemExit
            When there is no Python 3.11, the only one for which all the pinned versions have wheels.
        """
        python, complete = self.environment / "bin" / "python", self.environment / "complete"
        if complete.exists():
            return python
        print(f"making {self.environment.name} for {self.requirements[0]} (once)", file=sys.stderr)
        shutil.rmtree(self.environment, ignore_errors=True)
        subprocess.run([_python_3_11(), "-m", "venv", str(self.environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *self.requirements], check=True)
        complete.touch()
        return python


ETHIK = Peer("ethik", ("ethik==0.0.4", "pandas==1.5.3", "numpy==1.26.4", "plotly==5.24.1"))


def _python_3_11() -> str:
    if sys.version_info[:2] == (3, 11):
        return sys.executable
    found = shutil.which("python3.11")
    if found is None:
        raise SystemExit(
            "The comparisons with other packages need Python 3.11 (their pinned versions have no wheels for later "
            f"ones); this is {sys.version.split()[0]} and no python3.11 is on the PATH. "
            "Install one, or name only cases that need no peer (see benchmarks/README.md)."
        )
    return found
