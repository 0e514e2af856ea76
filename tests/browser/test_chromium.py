"""Where the browser of these tests comes from, in this order: PATH, Debian's package, Playwright's download."""

from pathlib import Path

import pytest

from browser import chromium


def program(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bin_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH with this one folder, and no Chromium of Playwright's."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "from_playwright", lambda: None)
    return tmp_path


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "chrome"])
def test_one_on_the_path_is_taken(bin_only: Path, name: str) -> None:
    path = program(bin_only, name, "exit 0")
    assert chromium.fetch() == str(path)


def test_one_that_does_not_start_is_passed_over(bin_only: Path) -> None:
    program(bin_only, "chromium", "exit 1")
    path = program(bin_only, "google-chrome", "exit 0")
    assert chromium.find() == str(path)


def test_root_gets_the_package_of_debian(bin_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    path = program(bin_only, "hidden", "exit 0")
    program(bin_only, "apt-get", f'[ "$1" = update ] || /bin/mv {path} {bin_only}/chromium')
    assert chromium.fetch() == str(bin_only / "chromium")


def test_others_get_the_download_of_playwright(bin_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    program(bin_only, "apt-get", f"exec /bin/touch {bin_only}/called")
    downloaded = program(bin_only, "downloaded", "exit 0")
    monkeypatch.setattr(
        chromium,
        "download_with_playwright",
        lambda: monkeypatch.setattr(chromium, "from_playwright", lambda: str(downloaded)),
    )
    assert chromium.fetch() == str(downloaded)
    assert not (bin_only / "called").exists()


def test_without_any_the_message_says_what_to_do(bin_only: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    monkeypatch.setattr(chromium, "download_with_playwright", lambda: None)
    with pytest.raises(chromium.NoChromium, match=r"make chromium.*your system's package"):
        chromium.fetch()
