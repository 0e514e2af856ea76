"""What keeps widgets from showing in an environment, the likeliest cause first, each with what to do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tauscope.doctor.environment import LABEXTENSIONS, MANAGER, Environment, Host, Kernel
from tauscope.doctor.reading import prefix_of
from tauscope.views.bundle import BUILD

LEAST_MANAGER = (5,)
"""The manager that came with ipywidgets 8."""


@dataclass(frozen=True)
class Finding:
    """What is not as it should be.

    Attributes
    ----------
    kind : str
    blocks : bool
        Whether no widget can show because of it.
    says, next_step : str
    """

    kind: str
    blocks: bool
    says: str
    next_step: str


def find_causes(environment: Environment) -> tuple[Finding, ...]:
    """Return what is found, what blocks first."""
    checks = (_scripts, _requirements, _no_host, _old_host, _kernels, _labextensions, _versions, _disabled, _path)
    found = [finding for check in checks for finding in check(environment)]
    return tuple(sorted(found, key=lambda finding: not finding.blocks))


def _scripts(environment: Environment) -> Iterator[Finding]:
    if environment.unbuilt:
        first = environment.unbuilt[0]
        yield Finding(
            "not built", True, f"The widgets' scripts have not been built: {first.name} is not in {first.parent}.",
            f"in a checkout run: {BUILD}; otherwise install Tauscope's wheel again, which carries them",
        )  # fmt: skip


def release_of(version: str) -> tuple[int, ...]:
    """Return the numbers a version begins with, without zeros at the end: (8, 1) of "8.1.0rc1"."""
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in found[0].split(".")] if found else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_within(version: str, limits: str) -> bool:
    """Whether a version is within limits such as "<9,>=8.1"; other comparisons are not made."""
    release = release_of(version)
    least = [release_of(limit[2:]) for limit in limits.split(",") if limit.startswith(">=")]
    below = [release_of(limit[1:]) for limit in limits.split(",") if re.match(r"<\d", limit)]
    return all(release >= limit for limit in least) and all(release < limit for limit in below)


def _requirements(environment: Environment) -> Iterator[Finding]:
    for line in environment.requires:
        name, limits = re.match(r"([\w.-]+)\s*(.*)", line.replace(" ", "")).groups()  # pyright: ignore[reportOptionalMemberAccess]
        version = environment.versions.get(name)
        if name in ("ipywidgets", "anywidget") and (version is None or not is_within(version, limits)):
            has = "is not installed" if version is None else f"is {version}"
            yield Finding(
                "requirement", True, f"{name} {has}; Tauscope needs {name} {limits}.",
                f'{environment.python} -m pip install "{name}{limits}", then start the kernel again',
            )  # fmt: skip


def _no_host(environment: Environment) -> Iterator[Finding]:
    if environment.host is None and "marimo" not in environment.versions:
        yield Finding(
            "no notebook", "ipykernel" not in environment.versions,
            "Neither JupyterLab, Notebook, Voila nor marimo is installed here, nor is one on the PATH.",
            f'{environment.python} -m pip install "jupyterlab>=4.4,<5"; VS Code and Colab bring their own notebook, '
            "and need ipykernel here",
        )  # fmt: skip


def _old_host(environment: Environment) -> Iterator[Finding]:
    host = environment.host
    if host is not None and host.jupyterlab is not None and release_of(host.jupyterlab) < (4,):
        yield Finding(
            "old JupyterLab", True, f"JupyterLab in {host.prefix} is {host.jupyterlab}; Tauscope needs 4 or later.",
            f'{host.python} -m pip install "jupyterlab>=4.4,<5", then start JupyterLab again',
        )  # fmt: skip


def is_same(one: Path, other: Path) -> bool:
    """Whether two prefixes are one folder, whichever links lead there."""
    return one.resolve() == other.resolve()


def _runs_here(kernel: Kernel, environment: Environment, host: Host) -> bool:
    """Whether a kernel is of this environment; of launchers that name no Python it is taken to be."""
    command = Path(kernel.command)
    if "python" not in command.name:
        return True
    return is_same(prefix_of(command) if command.is_absolute() else host.prefix, environment.prefix)


def _kernels(environment: Environment) -> Iterator[Finding]:
    host = environment.host
    if host is None:
        return
    here = [kernel.name for kernel in environment.kernels if _runs_here(kernel, environment, host)]
    away = [kernel for kernel in environment.kernels if kernel.name not in here]
    if not here and (away or not is_same(host.prefix, environment.prefix)):
        others = ", ".join(f"{kernel.name} runs {kernel.command}" for kernel in away) or "there is none"
        yield Finding(
            "no kernel", True,
            f"No kernel that Jupyter in {host.prefix} offers runs this Python, {environment.python} ({others}).",
            f"{environment.python} -m pip install ipykernel, then {environment.python} -m ipykernel install --user "
            "--name tauscope, and choose the kernel tauscope in the notebook",
        )  # fmt: skip
    for kernel in away if here else ():
        if kernel.name == "python3":
            yield Finding(
                "other kernel", False,
                f"The kernel python3 runs another Python than this one: {kernel.command} of {host.prefix}.",
                f"in the notebook choose the kernel {here[0]}, which runs this one",
            )  # fmt: skip


def _labextensions(environment: Environment) -> Iterator[Finding]:
    host = environment.host
    if host is None:
        return
    apart = not is_same(host.prefix, environment.prefix)
    jupyter = f"Jupyter runs from {host.prefix}, another environment than this Python's, and" if apart else "Jupyter"
    for name, package in LABEXTENSIONS.items():
        if name in environment.labextensions:
            continue
        own = name == "tauscope"
        lost = ": widgets show, but there is no panel in the right sidebar" if own else ""
        version = environment.versions.get(package) if package == "anywidget" else None
        what = f"{package}=={version}" if version else package
        install = f"{host.python} -m pip install --force-reinstall --no-deps "
        yield Finding(
            "no labextension", not own,
            f"{jupyter} does not find the extension {name} in share/jupyter/labextensions{lost}.",
            f"{install}{'with the wheel of Tauscope' if own else what}, then reload the page",
        )  # fmt: skip


def _versions(environment: Environment) -> Iterator[Finding]:
    host, manager = environment.host, environment.labextensions.get(MANAGER)
    page, kernel = environment.labextensions.get("anywidget"), environment.versions.get("anywidget")
    if host is None:
        return
    if page is not None and kernel is not None and not _is_compatible(page, kernel):
        yield Finding(
            "two versions", True, f"anywidget is {kernel} in the kernel and {page} in Jupyter's page.",
            f'{host.python} -m pip install "anywidget=={kernel}"; if one of ~/.local/share/jupyter is in its way, '
            "remove that; then reload the page",
        )  # fmt: skip
    if manager is not None and release_of(manager) < LEAST_MANAGER:
        yield Finding(
            "old manager", True, f"{MANAGER} is {manager}, of ipywidgets 7; Tauscope needs that of ipywidgets 8.",
            f'{host.python} -m pip install "jupyterlab_widgets>=3", then reload the page',
        )  # fmt: skip


def _is_compatible(one: str, other: str) -> bool:
    """Whether major and minor number are the same, as anywidget's page asks of its kernel."""
    return one.split(".")[:2] == other.split(".")[:2]


def _disabled(environment: Environment) -> Iterator[Finding]:
    """Yield what page configurations disable, by the last that names it."""
    by: dict[str, Path | None] = {}
    locked: dict[str, bool] = {}
    for config in environment.page_configs:
        by |= {name: config.path if disabled else None for name, disabled in config.disabled.items()}
        locked |= config.locked
    for name, path in by.items():
        extension = name.partition(":")[0]
        if path is not None and extension in LABEXTENSIONS and environment.host is not None:
            is_locked = locked.get(name) or locked.get(extension)
            lost = "" if extension != "tauscope" else ": widgets show, but not all that Tauscope adds to JupyterLab"
            unlock = f"jupyter labextension unlock {name}, then " if is_locked else ""
            yield Finding(
                "disabled", extension != "tauscope" and not name.endswith(":saveWidgetState"),
                f"The extension {name} is disabled{' and locked' if is_locked else ''} by {path}{lost}.",
                f"{unlock}jupyter labextension enable {name} (or take it out of that file), and reload the page",
            )  # fmt: skip


def _path(environment: Environment) -> Iterator[Finding]:
    host, other = environment.host, environment.on_path
    if host is not None and other is not None and not is_same(host.prefix, other):
        yield Finding(
            "other Jupyter", False,
            f"`jupyter` on the PATH is of {other}, another environment than this Python's, {environment.prefix}: "
            "what is said here is not of that one.",
            f"start JupyterLab by: {host.python} -m jupyter lab",
        )  # fmt: skip
