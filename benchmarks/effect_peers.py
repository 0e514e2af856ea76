"""The peers of the effects engine, each in an environment of its own, made on first use."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from peer import HERE, python_3_11

SHARED = ("scikit-learn==1.9.1",)  # one model, fitted alike in every environment


@dataclass(frozen=True)
class EffectPeer:
    """A package, and what it runs on."""

    name: str
    requirements: tuple[str, ...]

    @property
    def environment(self) -> Path:
        """Where it is installed."""
        return HERE / f".venv-{self.name}"

    def interpreter(self) -> Path:
        """Python of the environment, made on first use."""
        python, complete = self.environment / "bin" / "python", self.environment / "complete"
        if complete.exists():
            return python
        print(f"making {self.environment.name} (once)", file=sys.stderr)
        shutil.rmtree(self.environment, ignore_errors=True)
        subprocess.run([python_3_11(), "-m", "venv", str(self.environment)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *self.requirements], check=True)
        complete.touch()
        return python


PEERS = (
    EffectPeer("effector", ("effector==0.6.0", "PyALE==1.2.0", *SHARED)),
    EffectPeer("dalex", ("dalex==1.8.0", "pandas==2.3.3", *SHARED)),
    EffectPeer("alibi", ("alibi==0.9.6", "click==8.1.8", *SHARED)),
)
