"""The two processes of a comparison, asked in turn."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from peer import ETHIK
from protocol import SINGLE_THREAD

HERE = Path(__file__).parent


class Worker:
    """A process that answers the commands of `protocol.serve`, one BLAS thread, idle between commands."""

    def __init__(self, python: Path, script: str, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [str(python), str(HERE / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment | SINGLE_THREAD,
        )

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send one command, wait for its answer.

        Raises
        ------
        RuntimeError
            When the process ended instead; its traceback is on the error stream.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise RuntimeError("The worker has no pipes.")
        stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise RuntimeError(f"The worker ended with code {self._process.wait()} on {do!r}.")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:  # what it was asked for is answered
            self._process.kill()


def ours() -> Worker:
    """Start Tauscope in the environment that runs the benchmark, its progress bar hushed as the peer's is."""
    return Worker(Path(sys.executable), "worker_ours.py", os.environ | {"TQDM_DISABLE": "1"})


def theirs() -> Worker:
    """Start the authors' package in its own environment."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return Worker(ETHIK.interpreter(), "worker_peer.py", own)
