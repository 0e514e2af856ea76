"""Each finding, from an environment in which one thing is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from tauscope.doctor.environment import LABEXTENSIONS, MANAGER, Environment, Host, Kernel, PageConfig
from tauscope.doctor.findings import find_causes, is_within

HERE, OTHER = Path("/envs/here"), Path("/envs/other")
REQUIRES = ("anywidget<0.12,>=0.11", "ipywidgets<9,>=8.1", "numpy>=2.0.1")
GOOD = Environment(
    prefix=HERE,
    python=HERE / "bin/python",
    versions={"anywidget": "0.11.0", "ipywidgets": "8.1.5", "ipykernel": "7.1.0", "jupyterlab": "4.5.0"},
    requires=REQUIRES,
    host=Host(HERE, HERE / "bin/python", "4.5.0"),
    on_path=HERE,
    kernels=(Kernel("python3", "python"),),
    labextensions={"anywidget": "0.11.2", MANAGER: "5.0.15", "tauscope": "0.1.0"},
)
ELSEWHERE = replace(
    GOOD, host=Host(OTHER, OTHER / "bin/python", "4.5.0"), kernels=(Kernel("mine", "/envs/here/bin/python3"),)
)


def without(name: str) -> dict[str, str]:
    return {one: version for one, version in GOOD.labextensions.items() if one != name}


def configured(disabled, locked=()) -> PageConfig:
    return PageConfig(Path("/etc/page_config.json"), dict(disabled), dict(locked))


def test_nothing_is_found_where_all_is_well():
    assert find_causes(GOOD) == find_causes(replace(ELSEWHERE, on_path=OTHER)) == ()


CASES = {
    "not built": (replace(GOOD, unbuilt=(Path("/x/curves.js"),)), True, "curves.js", "npm --prefix js run build"),
    "too low": (replace(GOOD, versions={**GOOD.versions, "ipywidgets": "8.0.7"}), True, "is 8.0.7", "ipywidgets<9,"),
    "too new": (replace(GOOD, versions={**GOOD.versions, "anywidget": "0.12.0"}, labextensions={
        **GOOD.labextensions, "anywidget": "0.12.0"}), True, "is 0.12.0", "anywidget<0.12"),
    "missing": (replace(GOOD, versions={"anywidget": "0.11.0"}), True, "is not installed", "-m pip install"),
    "no notebook": (replace(GOOD, host=None), False, "Neither JupyterLab", "jupyterlab>=4.4"),
    "no notebook, no kernel": (replace(GOOD, host=None, versions={"anywidget": "0.11.0", "ipywidgets": "8.1"}), True,
        "Neither JupyterLab", "ipykernel"),
    "old JupyterLab": (replace(GOOD, host=Host(HERE, HERE / "bin/python", "3.6.8")), True, "is 3.6.8", "jupyterlab>=4"),
    "kernel of another": (replace(GOOD, kernels=(Kernel("python3", "/envs/other/bin/python"),)), True,
        "/envs/other/bin/python", "ipykernel install"),
    "bare kernel of another's": (replace(ELSEWHERE, on_path=OTHER, kernels=(Kernel("python3", "python"),)), True,
        "No kernel that Jupyter in /envs/other", "/envs/here/bin/python -m ipykernel install"),
    "no kernel elsewhere": (replace(ELSEWHERE, on_path=OTHER, kernels=()), True, "there is none", "ipykernel install"),
    "default kernel of another": (replace(GOOD, kernels=(
        Kernel("mine", "/envs/here/bin/python"), Kernel("python3", "/envs/other/bin/python"))), False,
        "python3 runs another Python", "choose the kernel mine"),
    **{f"no {name}": (replace(GOOD, labextensions=without(name)), name != "tauscope", f"extension {name} in", "install")
       for name in LABEXTENSIONS},
    "not in the other": (replace(ELSEWHERE, on_path=OTHER, labextensions=without("anywidget")), True,
        "Jupyter runs from /envs/other, another environment",
        "/envs/other/bin/python -m pip install --force-reinstall --no-deps anywidget==0.11.0,"),
    "two versions": (replace(GOOD, labextensions={**GOOD.labextensions, "anywidget": "0.9.21"}), True,
        "0.11.0 in the kernel and 0.9.21", "anywidget==0.11.0"),
    "old manager": (replace(GOOD, labextensions={**GOOD.labextensions, MANAGER: "3.1.9"}), True, "ipywidgets 7",
        "jupyterlab_widgets>=3"),
    "disabled": (replace(GOOD, page_configs=(configured({"anywidget": True}),)), True, "anywidget is disabled by",
        "jupyter labextension enable anywidget"),
    "disabled plugin": (replace(GOOD, page_configs=(configured({f"{MANAGER}:plugin": True}),)), True,
        "plugin is disabled", f"enable {MANAGER}:plugin"),
    "locked": (replace(GOOD, page_configs=(configured({"anywidget:plugin": True}, {"anywidget": True}),)), True,
        "disabled and locked", "unlock anywidget:plugin, then"),
    "panel disabled": (replace(GOOD, page_configs=(configured({"tauscope:panel": True}),)), False, "widgets show, but",
        "enable tauscope:panel"),
    "other Jupyter": (replace(GOOD, on_path=OTHER), False, "is of /envs/other", "/envs/here/bin/python -m jupyter lab"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_one_thing_wrong_is_found_with_the_next_step(case):
    environment, blocks, says, next_step = CASES[case]
    (cause,) = find_causes(environment)
    assert cause.blocks == blocks
    assert says in cause.says
    assert next_step in cause.next_step


@pytest.mark.parametrize(
    "changed",
    [
        {"page_configs": (configured({"anywidget": True}), configured({"anywidget": False}))},
        {"page_configs": (configured({"another": True}, {"anywidget": True}),)},
        {"kernels": (Kernel("python3", "conda"),)},
        {"kernels": ()},
        {"host": None, "versions": {**GOOD.versions, "marimo": "0.18.0"}, "labextensions": {}},
    ],
)
def test_what_is_no_hindrance_is_not_named(changed):
    assert find_causes(replace(GOOD, **changed)) == ()


def test_what_blocks_comes_first():
    environment = replace(GOOD, labextensions=without("tauscope"), page_configs=(configured({"anywidget": True}),))
    assert [cause.blocks for cause in find_causes(environment)] == [True, False]


def test_an_environment_is_the_same_through_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    environment = replace(GOOD, host=replace(GOOD.host, prefix=tmp_path / "real"), on_path=tmp_path / "link",
                          prefix=tmp_path / "link")  # fmt: skip
    assert find_causes(environment) == ()


@pytest.mark.parametrize(
    ("version", "limits", "expected"),
    [
        ("8.1", ">=8.1.0", True),
        ("8.10", "<9,>=8.9", True),
        ("9.0.0", "<9,>=8.1", False),
        ("8.1.0rc1", ">=8.1", True),
        ("8.0.9", "<9,>=8.1", False),
        ("1.0", "", True),
    ],
)
def test_limits_are_compared_as_numbers(version, limits, expected):
    assert is_within(version, limits) == expected
