"""What decides whether widgets can show, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MANAGER = "@jupyter-widgets/jupyterlab-manager"
LABEXTENSIONS = {"anywidget": "anywidget", MANAGER: "jupyterlab_widgets", "tauscope": "tauscope"}
"""The extensions of JupyterLab that Tauscope's widgets need, and the packages that bring them."""


@dataclass(frozen=True)
class Host:
    """The environment that JupyterLab, Notebook or Voila is started from.

    Attributes
    ----------
    prefix, python : Path
    jupyterlab : str or None
        Its version of JupyterLab.
    """

    prefix: Path
    python: Path
    jupyterlab: str | None


@dataclass(frozen=True)
class Kernel:
    """A Python kernel that Jupyter offers, and the command that starts it: a path, or a bare "python"."""

    name: str
    command: str


@dataclass(frozen=True)
class PageConfig:
    """A `page_config.json`: which extensions, or plugins of extensions, it disables and locks."""

    path: Path
    disabled: Mapping[str, bool]
    locked: Mapping[str, bool]


@dataclass(frozen=True)
class Environment:
    """A Python, and the Jupyter that would show its widgets.

    Attributes
    ----------
    prefix, python : Path
    versions : mapping of str to str
        Version by package, of those that are installed.
    requires : tuple of str
        What Tauscope declares: "anywidget<0.12,>=0.11".
    unbuilt : tuple of Path
        Scripts of widgets that are not there.
    host : Host or None
        None where nothing is found that shows notebooks.
    on_path : Path or None
        Prefix that `jupyter lab` is of in a terminal.
    kernels : tuple of Kernel
    labextensions : mapping of str to str
        Version by name, of those in `LABEXTENSIONS` that the host finds.
    page_configs : tuple of PageConfig
        The most general first: later ones decide over earlier.
    """

    prefix: Path
    python: Path
    versions: Mapping[str, str]
    requires: tuple[str, ...] = ()
    unbuilt: tuple[Path, ...] = ()
    host: Host | None = None
    on_path: Path | None = None
    kernels: tuple[Kernel, ...] = ()
    labextensions: Mapping[str, str] = field(default_factory=dict[str, str])
    page_configs: tuple[PageConfig, ...] = ()
