"""Environments made up of files in a folder, read."""

import json
from pathlib import Path

import pytest

from tauscope.doctor.environment import LABEXTENSIONS, MANAGER, Kernel
from tauscope.doctor.reading import Places, read_environment


def make_places(home: Path) -> Places:
    """An environment `here` with all that is needed, and an empty one, `user`, that is nearer."""
    here = home / "here"
    for name in LABEXTENSIONS:
        add_labextension(here, name)
    for name in ("stress/curves.js", "workspace/workspace.js"):
        write(here / "static" / name, "script")
    return Places(
        prefix=here, python=here / "bin" / "python", path="", static=here / "static",
        data=(home / "user" / "share" / "jupyter", here / "share" / "jupyter"),
        config=(home / "user" / "etc", here / "etc" / "jupyter"),
    )  # fmt: skip


def write(path: Path, content) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


def add_labextension(prefix: Path, name: str, version: str = "5.1.2") -> None:
    home = prefix / "share" / "jupyter" / "labextensions" / name
    write(home / "package.json", {"version": version, "jupyterlab": {"_build": {"load": "static/remote.js"}}})
    write(home / "static" / "remote.js", "script")


def add_kernel(prefix: Path, name: str, command: str, language: str = "python") -> None:
    write(prefix / "share" / "jupyter" / "kernels" / name / "kernel.json", {"argv": [command], "language": language})


def add_application(prefix: Path, name: str = "jupyter-lab", head: str | None = None) -> str:
    """Write a script as pip does, and return its folder."""
    write(prefix / "bin" / name, head or f"#!{prefix}/bin/python3\nimport sys\n")
    (prefix / "bin" / name).chmod(0o755)
    return str(prefix / "bin")


def read(places: Places, **versions: str):
    return read_environment(places, versions or {"jupyterlab": "4.5.0"}, ())


def test_what_is_in_order_is_read_as_such(tmp_path):
    environment = read(make_places(tmp_path))
    assert environment.labextensions == dict.fromkeys(LABEXTENSIONS, "5.1.2")
    assert environment.unbuilt == environment.kernels == environment.page_configs == ()
    assert (environment.host.prefix, environment.host.jupyterlab) == (tmp_path / "here", "4.5.0")
    assert environment.on_path is None


def test_scripts_that_are_not_built_are_named(tmp_path):
    places = make_places(tmp_path)
    (places.static / "stress" / "curves.js").unlink()
    assert read(places).unbuilt == (places.static / "stress" / "curves.js",)


def test_the_nearest_labextension_is_the_one(tmp_path):
    places = make_places(tmp_path)
    add_labextension(tmp_path / "user", MANAGER, "3.1.0")
    assert read(places).labextensions[MANAGER] == "3.1.0"


@pytest.mark.parametrize("lost", ["package.json", "static/remote.js"])
def test_a_labextension_without_its_files_is_none(tmp_path, lost):
    places = make_places(tmp_path)
    (tmp_path / "here/share/jupyter/labextensions/anywidget" / lost).unlink()
    assert "anywidget" not in read(places).labextensions


@pytest.mark.parametrize(
    "head",
    [
        None,
        "#!/bin/sh\n'''exec' \"{prefix}/bin/python3.12\" \"$0\" \"$@\"\n' '''\n",
    ],
)
def test_a_jupyter_of_another_environment_is_the_host_where_none_is_here(tmp_path, head):
    places, other = make_places(tmp_path), tmp_path / "other"
    path = add_application(other, head=head and head.replace("{prefix}", str(other)))
    write(
        other / "lib/python3.12/site-packages/jupyterlab-3.6.1.dist-info/METADATA", "Name: jupyterlab\nVersion: 3.6.1"
    )
    add_kernel(other, "python3", "python")
    environment = read(Places(**{**vars(places), "path": path}), ipykernel="7.0")
    assert (environment.host.prefix, environment.host.jupyterlab) == (other, "3.6.1")
    assert environment.labextensions == {}
    assert environment.kernels == (Kernel("python3", "python"),)


def test_a_jupyter_of_another_environment_is_named_beside_the_own(tmp_path):
    places = make_places(tmp_path)
    environment = read(Places(**{**vars(places), "path": add_application(tmp_path / "other")}))
    assert environment.host.prefix == places.prefix
    assert environment.on_path == tmp_path / "other"


def test_what_is_beside_jupyter_comes_before_the_path(tmp_path):
    one, other = add_application(tmp_path / "one"), add_application(tmp_path / "other", "voila")
    add_application(tmp_path / "other", "jupyter")
    places = Places(**{**vars(make_places(tmp_path)), "path": f"{other}:{one}"})
    assert read(places).on_path == tmp_path / "one", "the first application of the list"
    add_application(tmp_path / "other")
    assert read(places).on_path == tmp_path / "other"


def test_a_launcher_that_names_no_python_is_no_host(tmp_path):
    path = add_application(tmp_path / "shims", head="#!/usr/bin/env bash\nexec pyenv exec\n")
    environment = read(Places(**{**vars(make_places(tmp_path)), "path": path}), ipykernel="7.0")
    assert environment.host is None


def test_python_kernels_are_listed_the_nearest_of_a_name(tmp_path):
    places = make_places(tmp_path)
    add_kernel(places.prefix, "python3", "python")
    add_kernel(tmp_path / "user", "python3", "/other/bin/python")
    add_kernel(places.prefix, "ir", "R", language="R")
    write(places.prefix / "share/jupyter/kernels/broken/kernel.json", "{")
    assert read(places).kernels == (Kernel("python3", "/other/bin/python"),)


def test_page_configs_are_read_the_most_general_first(tmp_path):
    places = make_places(tmp_path)
    general = places.prefix / "share/jupyter/lab/settings/page_config.json"
    own = tmp_path / "user/etc/labconfig/page_config.json"
    write(general, {"disabledExtensions": ["anywidget"]})
    write(own, {"disabledExtensions": {"anywidget": False}, "lockedExtensions": {"tauscope": True}})
    first, last = read(places).page_configs
    assert (first.path, first.disabled, first.locked) == (general, {"anywidget": True}, {})
    assert (last.path, last.disabled, last.locked) == (own, {"anywidget": False}, {"tauscope": True})


def test_nothing_is_written(tmp_path):
    places = make_places(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    read(places)
    assert sorted(tmp_path.rglob("*")) == before
