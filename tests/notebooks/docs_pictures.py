"""Take the pictures of docs/images anew, each view light and dark: `make screenshots`."""

import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from sklearn.datasets import load_digits
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import tauscope as ts
from architecture.tree import ROOT
from browser import chromium, waits
from browser.conftest import CHROMIUM_OPTIONS

IMAGES = ROOT / "docs" / "images"
AUDIT = ROOT / "notebooks" / "07-audit.ipynb"
CELLS = ("setup", "scenarios", "person")
POOLED = 20
"""Rows of a pooled boundary, each of which asks the model about a thousand."""
WIDTH = 1280
READY = ".tauscope[data-ready='1']"
COLORS = 128
"""Of a palette: enough for grey, blue and their edges at a third of the bytes."""


def audit() -> dict[str, object]:
    """Run the cells of the audit that make its study, its scenarios and its person."""
    names: dict[str, object] = {"display": lambda *_: None, "print": lambda *_: None}
    for cell in nbformat.read(AUDIT, as_version=4)["cells"]:
        if cell["id"] in CELLS:
            exec(cell["source"], names)
    return names


def short_sighted(names: dict[str, object]) -> ts.Study:
    """Return a study of the same rows and another model: half as many trees."""
    fitted = make_pipeline(names["encode"], HistGradientBoostingClassifier(max_iter=20, random_state=0))
    study, known, form = names["study"], names["known"], names["form"]
    fitted.fit(known[form], known["income"].map(names["decision"]))
    return ts.Study(fitted, study.X, study.y, pos_label="grant", progress=False)


def digits() -> ts.Study:
    """Return a study of small images."""
    X, y = load_digits(return_X_y=True)
    return ts.Study(LogisticRegression(max_iter=200).fit(X[::2] / 16, y[::2]), X[1::2] / 16, y[1::2], progress=False)


def write_pages(folder: Path) -> dict[str, Path]:
    """Save the page of each view."""
    names = audit()
    study, town, person = (names[name] for name in ("study", "town", "person"))
    feature = "education-num"
    curves, boundary = (
        study.stress_curves(),
        study.boundary(person, refine="coordinate", random_state=0, progress=False),
    )
    results = {
        "curves": curves,
        "joint": study.joint_stress(),
        "harm": curves.harm("error_rate"),
        "surface": study.stress_surface("age", feature),
        "effect": study.effect(feature, progress=False),
        "boundary": boundary,
        "rules": study.rules(person, max_rules=2, random_state=0),
        "pooled": study.pooled_boundary(study.errors[:POOLED], random_state=0, progress=False),
        "table": study.table(),
        "comparison": ts.compare(study, short_sighted(names), town),
        "thresholds": study.threshold_curves(town, cost={"fp": 1, "fn": 2}),
        "calibration": study.calibration(town),
        "worst_case": study.worst_case("error_rate", within={"kl": 0.05}, features=["age", feature, "hours-per-week"]),
        "towards": study.towards({"age": 45, "education-num": 11, "workclass": {"Private": 0.6}}),
        "image": digits().stress_image((8, 8), taus=[-1, 0, 1]),
    }
    pages = {name: folder / f"{name}.html" for name in ("workspace", *results)}
    study.save(pages["workspace"], row=person, view="effect", stress=town.stress)
    for name, result in results.items():
        result.save(pages[name])
    return pages


def take(page: Page, path: Path, name: str) -> None:
    """Photograph one view on light and on dark ground."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        page.locator(READY).first.wait_for()
        if name == "workspace":
            page.locator(f"[data-testid=panel-effect] {READY}").wait_for()
        shot = page.locator(".tauscope").first.screenshot(animations="disabled")
        picture = Image.open(BytesIO(shot)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
        picture.save(IMAGES / f"{name}-{scheme}.png", optimize=True)


def main() -> None:
    """Write all of them."""
    IMAGES.mkdir(exist_ok=True)
    with TemporaryDirectory() as scratch, sync_playwright() as playwright:
        pages = write_pages(Path(scratch))
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=CHROMIUM_OPTIONS)
        for name, path in pages.items():
            width = 1600 if name == "workspace" else WIDTH
            page = browser.new_page(viewport={"width": width, "height": 900})
            page.set_default_timeout(waits.MILLISECONDS)
            take(page, path, name)
            page.close()
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
