"""Find a Chromium that starts, or fetch one; `python tests/browser/chromium.py` prints its path."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


class NoChromium(RuntimeError):
    """Neither found nor fetched; the message says what to install."""


def starts(path: str | Path) -> bool:
    """Say whether `path` is a browser that runs here: a snap launcher in a container, say, does not."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def on_path() -> str | None:
    """Find the first of `NAMES` on the PATH that starts."""
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in found if path and starts(path)), None)


# A process of its own, since Playwright's synchronous half cannot be entered twice in one.
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def from_playwright() -> str | None:
    """Find the Chromium that Playwright downloaded earlier, if it did and it starts."""
    asked = subprocess.run([sys.executable, "-c", ASK_PLAYWRIGHT], capture_output=True, text=True, check=True)
    path = asked.stdout.strip()
    return path if Path(path).exists() and starts(path) else None


def install_debian_package() -> None:
    """Install Debian's own package; does nothing for a plain user or where there is no apt-get."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        subprocess.run(["apt-get", *step], env=environment, stdout=sys.stderr, check=False)


def download_with_playwright() -> None:
    """Let Playwright download its Chromium into the user's cache."""
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, stdout=sys.stderr, check=False)


def find() -> str:
    """Path of a Chromium that is already here.

    Raises
    ------
    NoChromium
        When there is none on the PATH and Playwright has none.
    """
    path = on_path() or from_playwright()
    if path is None:
        raise NoChromium(
            f"the browser tests need Chromium: none of {', '.join(NAMES)} on the PATH starts and Playwright "
            "has none; `make chromium` fetches one, or install your system's package"
        )
    return path


def fetch() -> str:
    """Path of a Chromium: the one that is here, else Debian's package, else Playwright's download.

    Raises
    ------
    NoChromium
        When every way failed.
    """
    for step in (lambda: None, install_debian_package, download_with_playwright):
        step()
        try:
            return find()
        except NoChromium as reason:
            last = reason
    raise last


if __name__ == "__main__":
    try:
        print(fetch())  # noqa: T201
    except NoChromium as reason:
        sys.exit(str(reason))
