"""Start JupyterLab or Voila for a test, alone with its own settings, and stop it again."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from browser.waits import SECONDS

BIN = Path(sys.executable).parent
OWN_FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "IPYTHONDIR": "ipython",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
}


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def isolated_environment(folder: Path) -> dict[str, str]:
    """Return this process's environment with every Jupyter folder inside `folder`, and the news prompt off."""
    environment = dict(os.environ)
    for variable, name in OWN_FOLDERS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        environment[variable] = str(folder / name)
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True, exist_ok=True)
    quiet = '{"fetchNews": "false", "checkForUpdates": false}'
    (settings / "notification.jupyterlab-settings").write_text(quiet)
    environment["PATH"] = f"{BIN}{os.pathsep}{environment['PATH']}"
    return environment


def stop(process: subprocess.Popen[str]) -> None:
    """Interrupt a Jupyter server and its kernels: the first Ctrl-C asks, the second one means it."""
    for _ in range(2):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.3)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(15)


def answers(address: str) -> bool:
    """Whether a server answers at an address, whatever it says."""
    try:
        urllib.request.urlopen(address, timeout=SECONDS).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


class Server:
    """A server process, answering by the time the `with` block begins."""

    def __init__(self, command: list[str], *, port: int, probe: str, root: Path, folder: Path) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self._log = folder / "server.log"
        self._probe = self.base + probe
        with self._log.open("w") as log:
            self._process = subprocess.Popen(
                command,
                cwd=root,
                env=isolated_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        deadline = time.monotonic() + SECONDS
        while not answers(self._probe):
            if self._process.poll() is not None or time.monotonic() > deadline:
                stop(self._process)
                raise RuntimeError(f"the server did not answer at {self._probe}:\n{self.log()[-3000:]}")
            time.sleep(0.05)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stop(self._process)

    def log(self) -> str:
        """Return what the server printed so far."""
        return self._log.read_text(errors="replace")

    def processes(self) -> list[psutil.Process]:
        """Return the processes it started: its kernels."""
        return psutil.Process(self._process.pid).children(recursive=True)


def lab(root: Path, folder: Path) -> Server:
    """JupyterLab on the notebooks in `root`; its own files go to `folder`."""
    port = free_port()
    command = [
        str(BIN / "jupyter"),
        "lab",
        "--no-browser",
        "--allow-root",
        "--expose-app-in-browser",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--ServerApp.password=",
        f"--ServerApp.root_dir={root}",
    ]
    return Server(command, port=port, probe="/api/status", root=root, folder=folder)


def voila(root: Path, folder: Path) -> Server:
    """Voila on the notebooks in `root`, with the template that installing Tauscope put in place."""
    port = free_port()
    command = [
        str(BIN / "voila"),
        "--no-browser",
        "--Voila.ip=127.0.0.1",
        f"--port={port}",
        "--template=tauscope",
        str(root),
    ]
    return Server(command, port=port, probe="/voila/static/voila.js", root=root, folder=folder)


def in_voila(server: Server, notebook: str) -> str:
    """Return the address at which Voila runs a notebook of its folder anew and shows what it puts out."""
    return f"{server.base}/voila/render/{notebook}"
