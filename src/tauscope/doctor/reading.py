"""Read an environment from its files; nothing is written, and no package is imported but Jupyter's list of paths."""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from tauscope.doctor.environment import LABEXTENSIONS, Environment, Host, Kernel, PageConfig
from tauscope.views.bundle import STATIC

PACKAGES = (
    "tauscope", "numpy", "scipy", "scikit-learn", "pandas", "ipywidgets", "anywidget", "traitlets", "ipykernel",
    "jupyterlab", "notebook", "voila", "marimo", "altair", "vl-convert-python",
)  # fmt: skip
APPLICATIONS = {"jupyterlab": "jupyter-lab", "notebook": "jupyter-notebook", "voila": "voila"}
SCRIPTS = ("stress/curves", "workspace/workspace")


@dataclass(frozen=True)
class Places:
    """Where to look: by default, where this Python and its Jupyter do."""

    prefix: Path
    python: Path
    path: str
    """As the environment variable PATH."""
    data: tuple[Path, ...]
    """Jupyter's folders of data, the nearest first."""
    config: tuple[Path, ...]
    """Jupyter's folders of settings, the nearest first."""
    static: Path = STATIC


def find_places() -> Places:
    """Return the places of this Python; of Jupyter's those below its prefix where jupyter_core is not installed."""
    prefix = Path(sys.prefix)
    data, config = [str(prefix / "share" / "jupyter")], [str(prefix / "etc" / "jupyter")]
    with suppress(ImportError):
        from jupyter_core.paths import jupyter_config_path, jupyter_path

        data, config = jupyter_path(), jupyter_config_path()
    return Places(
        prefix=prefix,
        python=Path(sys.executable),
        path=os.environ.get("PATH", ""),
        data=tuple(map(Path, data)),
        config=tuple(map(Path, config)),
    )


def read_versions() -> dict[str, str]:
    """Return the versions of what is installed, by name."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def read_requirements() -> tuple[str, ...]:
    """Return what Tauscope needs, without its extras; nothing where it is not installed but only on the path."""
    with suppress(metadata.PackageNotFoundError):
        return tuple(line for line in metadata.requires("tauscope") or () if "extra ==" not in line)
    return ()


def read_environment(places: Places, versions: Mapping[str, str], requires: tuple[str, ...]) -> Environment:
    """Return what the files at these places say."""
    on_path = _find_on_path(places)
    here = Host(places.prefix, places.python, versions.get("jupyterlab"))
    host = here if APPLICATIONS.keys() & versions.keys() else on_path
    prefix = host.prefix if host is not None else places.prefix
    data = tuple(_moved(places.data, places.prefix, prefix))
    config = tuple(_moved(places.config, places.prefix, prefix))
    settings = [*(folder / "labconfig" for folder in config), prefix / "share" / "jupyter" / "lab" / "settings"]
    return Environment(
        prefix=places.prefix,
        python=places.python,
        versions=dict(versions),
        requires=requires,
        unbuilt=tuple(path for name in SCRIPTS if not (path := places.static / f"{name}.js").is_file()),
        host=host,
        on_path=on_path.prefix if on_path is not None else None,
        kernels=tuple(_kernels(data)),
        labextensions=dict(_labextensions(data)),
        page_configs=tuple(_page_configs(settings[::-1])),
    )


def _find_on_path(places: Places) -> Host | None:
    """Find what `jupyter lab` starts: what stands beside `jupyter`, or else the first on the path."""
    jupyter = shutil.which("jupyter", path=places.path)
    path = places.path if jupyter is None else f"{Path(jupyter).parent}{os.pathsep}{places.path}"
    for application in APPLICATIONS.values():
        script = shutil.which(application, path=path)
        python = _python_of(Path(script)) if script is not None else None
        if python is not None:
            prefix = prefix_of(python)
            return Host(prefix, python, _jupyterlab_of(prefix))
    return None


def _python_of(script: Path) -> Path | None:
    """Return the Python that a script names in its first lines; None for a launcher that names none."""
    script = script.resolve()
    if script.suffix == ".exe":
        beside = (script.with_name("python.exe"), script.parent.parent / "python.exe")
        return next((python for python in beside if python.is_file()), None)
    with suppress(OSError):
        head = script.read_bytes()[:2000].decode("utf-8", "replace").splitlines()[:2]
        words = " ".join(head).replace("#!", " ").replace('"', " ").replace("'", " ").split()
        return next((Path(word) for word in words if "python" in Path(word).name and Path(word).is_absolute()), None)
    return None


def prefix_of(python: Path) -> Path:
    """Return the environment that an interpreter belongs to, which in a virtual one is a link."""
    return python.parent.parent if python.parent.name.lower() in ("bin", "scripts") else python.parent


def _jupyterlab_of(prefix: Path) -> str | None:
    folders = [str(path) for path in (*prefix.glob("lib/python*/site-packages"), prefix / "Lib" / "site-packages")]
    return next((found.version for found in metadata.distributions(name="jupyterlab", path=folders)), None)


def _moved(folders: tuple[Path, ...], prefix: Path, other: Path) -> Iterator[Path]:
    """Yield the folders as they are for a Python of another prefix."""
    for folder in folders:
        yield other / folder.relative_to(prefix) if folder.is_relative_to(prefix) else folder


def _read(path: Path) -> dict[str, Any]:
    """Read an object of JSON; of a file that is not there, or holds something else, an empty one."""
    with suppress(OSError, ValueError):
        value: Any = json.loads(path.read_text("utf-8"))
        return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return {}


def _kernels(data: tuple[Path, ...]) -> Iterator[Kernel]:
    names: set[str] = set()
    for path in (path for folder in data for path in sorted(folder.glob("kernels/*/kernel.json"))):
        spec, name = _read(path), path.parent.name.lower()
        command = next(iter(spec.get("argv", ())), None)
        if command and name not in names:
            names.add(name)
            if spec.get("language") == "python":
                yield Kernel(name, str(command))


def _labextensions(data: tuple[Path, ...]) -> Iterator[tuple[str, str]]:
    """Yield the nearest of each name, as JupyterLab does, with its version; without its script it is none."""
    for name in LABEXTENSIONS:
        for folder in data:
            home = folder / "labextensions" / name
            package = _read(home / "package.json")
            if package:
                script = package.get("jupyterlab", {}).get("_build", {}).get("load")
                if script and (home / script).is_file():
                    yield name, str(package.get("version", ""))
                break


def _page_configs(folders: list[Path]) -> Iterator[PageConfig]:
    for folder in folders:
        for path in (*sorted(folder.glob("page_config.d/*.json")), folder / "page_config.json"):
            settings = _read(path)
            disabled, locked = _flags(settings, "disabledExtensions"), _flags(settings, "lockedExtensions")
            if disabled or locked:
                yield PageConfig(path, disabled, locked)


def _flags(settings: dict[str, Any], key: str) -> dict[str, bool]:
    """Return a table of names; older versions wrote a list."""
    found: Any = settings.get(key) or {}
    named = cast("dict[str, Any]", found) if isinstance(found, dict) else dict.fromkeys(map(str, found), True)
    return {name: bool(flag) for name, flag in named.items()}
