"""Every view and tab from a phone's width to a wide screen's and on paper: no text over another, nothing cut off."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import tauscope as ts
from browser.layout import unreadable
from browser.watch import Watch
from tauscope.figures.still import stand_in

WIDTHS = (320, 390, 480, 640, 700, 794, 960, 1040, 1130, 1280, 1440, 1640, 1920, 2400)
PAPERS = {"A4 portrait": (718, 1046), "A4 landscape": (1046, 718)}
"""Pixels within the margins that browsers leave."""
TABS = ["effect", "boundary", "pooled", "rules", "table", "thresholds", "calibration", "worst_case"]
LONG = "the average number of years that an applicant has held an "
HEBREW = "מספר השנים הממוצע שבהן החזיקו המבקשים במוצר "


class Names(NamedTuple):
    """Names of the features, of the classes, and of the levels of one more feature."""

    features: list[str]
    classes: list[str]
    levels: list[str]


KINDS = {
    "short": Names(["age", "income", "debt", "rate"], ["no", "yes"], ["east", "west"]),
    "long": Names(
        [LONG + end for end in ("account", "insurance", "apartment", "employment")],
        [f"the application for a loan is {end} by the bank" for end in ("declined", "granted")],
        [LONG + end for end in ("east", "west", "west end")],
    ),
    "Hebrew": Names(
        [HEBREW + end for end in "אבגד"], [HEBREW + end for end in ("כן", "לא")], [HEBREW + end for end in "צקר"]
    ),
    "one feature": Names(["x"], ["no", "yes"], []),
    "sixty features": Names([f"measurement {k}" for k in range(60)], ["no", "yes"], []),
}
VIEWS: dict[str, Callable[[ts.Study], Any]] = {
    "curves": lambda study: study.stress_curves(),
    "joint": lambda study: study.joint_stress(),
    "surface": lambda study: study.stress_surface(*study.feature_names[:2], taus=5),
    "harm": lambda study: study.stress_curves().harm("error_rate"),
    "calibration": lambda study: study.calibration(n_bins=5, by=study.feature_names[-1]),
    "worst case": lambda study: study.worst_case("error_rate", within={"kl": 0.1}, features=study.feature_names[:2]),
    "thresholds": lambda study: study.threshold_curves(by=study.feature_names[-1], cost={"fp": 1, "fn": 5}),
    "models": lambda study: ts.compare(study, make_study(KINDS["long"], 0.7), names=(LONG + "old", LONG + "new")),
    "towards": lambda study: study.towards(study.X[100:200], study.y[100:200]),
    "effect": lambda study: study.effect(study.feature_names[0], grid=20),
    "effect of levels": lambda study: study.effect(study.feature_names[-1]),
    "effect of two": lambda study: study.effect(study.feature_names[:2], grid=5),
    "boundary": lambda study: study.boundary(0, random_state=0, n=2),
    "pooled": lambda study: study.pooled_boundary(range(20), random_state=0, n_samples=200),
    "rules": lambda study: study.rules(0),
    "table": lambda study: study.table(),
}


def make_study(names: Names, share: float = 1.0, n: int = 240) -> ts.Study:
    """Make a study of drawn rows under these names, the columns on scales far apart, its model of a share of them."""
    random = np.random.default_rng(0)
    values = random.normal(size=(n, len(names.features)))
    X = pd.DataFrame(values * 10.0 ** (np.arange(values.shape[1]) % 7 - 2), columns=names.features)
    if names.levels:
        X["region " + names.features[0]] = random.choice(names.levels, n)
    y = np.array(names.classes)[(values[:, 0] + random.normal(size=n) > 0.3).astype(int)]
    levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False), list(X.columns[len(names.features) :])
    model = make_pipeline(make_column_transformer(levels, remainder=StandardScaler()), LogisticRegression())
    fitted = model.fit(X[: int(share * n)], y[: int(share * n)])
    return ts.Study(fitted, X, y, progress=False)


@pytest.fixture(scope="module")
def long_study() -> ts.Study:
    return make_study(KINDS["long"])


@pytest.fixture(scope="module", params=KINDS)
def workspace(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a workspace with all its tabs, its first feature moved."""
    kind = KINDS[request.param]
    study = make_study(kind)
    [first, *_] = study.feature_names
    path = tmp_path_factory.mktemp("layout") / "workspace.html"
    study.save(
        path,
        TABS,
        row=3,
        stress={"taus": {first: 0.3}, "hold": "none"},
        towards=study.towards(study.X.iloc[:80], features=[first]),
        beside=make_study(kind, 0.7),
        **({"by": study.feature_names[-1]} if kind.levels else {}),
    )
    return path


def shown(page: Page) -> dict[str, list[str]]:
    """Look at a page at every width and on paper, in each of its tabs; what cannot be read, by where."""
    found: dict[str, list[str]] = {}
    names = page.locator("[role=tab]").evaluate_all("(tabs) => tabs.map((tab) => tab.dataset.testid)") or [""]
    for name in names:
        places = {f"{width} px": (width, 900) for width in WIDTHS} | PAPERS
        for where, (width, height) in places.items():
            page.emulate_media(media="print" if where in PAPERS else "screen")
            page.set_viewport_size({"width": width, "height": height})
            if name and (tab := page.get_by_test_id(name)).is_visible():
                tab.evaluate("(tab) => tab.click()")
            for words in unreadable(page, where in PAPERS):
                found.setdefault(f"{name} {words}", []).append(where)
    return found


@pytest.mark.slow
def test_all_of_a_workspace_can_be_read_at_any_width(watch: Watch, workspace: Path) -> None:
    watch.page.goto(workspace.as_uri())
    watch.page.locator(".ts-workspace[data-ready='1']").wait_for()
    assert shown(watch.page) == {}


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_all_of_a_view_of_long_names_can_be_read_at_any_width(
    watch: Watch, long_study: ts.Study, tmp_path: Path, view: str
) -> None:
    VIEWS[view](long_study).save(tmp_path / "view.html")
    watch.page.goto((tmp_path / "view.html").as_uri())
    watch.page.locator(".tauscope[data-ready='1']").wait_for()
    assert shown(watch.page) == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["long", "Hebrew"])
def test_all_of_a_still_picture_can_be_read(page: Page, kind: str) -> None:
    study = make_study(KINDS[kind])
    found = {}
    for name, view in VIEWS.items():
        bundle = stand_in(view(study)) if kind == "long" or name != "models" else {}
        if "image/svg+xml" in bundle:
            page.set_content(f'<body style="margin: 0">{bundle["image/svg+xml"]}')
            page.set_viewport_size({"width": 3000, "height": 2000})
            found[name] = unreadable(page)
    assert {name: words for name, words in found.items() if words} == {}


HARD_TO_READ = """
<body style="margin: 0">
<p style="position: absolute; top: 0; left: 0">below</p><p style="position: absolute; top: 4px; left: 9px">above</p>
<div style="position: absolute; top: 100px; width: 40px; overflow: hidden; white-space: nowrap">cut without a sign</div>
<p style="position: absolute; top: 200px; left: 1270px; white-space: nowrap">beyond</p>
<div style="position: absolute; top: 300px; width: 40px; overflow: hidden; white-space: nowrap;
  text-overflow: ellipsis">cut with a sign</div>
<div style="position: absolute; top: 400px; width: 40px; overflow: auto; white-space: nowrap">to be scrolled</div>
</body>
"""


def test_what_cannot_be_read_is_found(page: Page) -> None:
    page.set_content(HARD_TO_READ)
    on_screen = [" ".join(words.split()[:2]) for words in unreadable(page)]
    assert sorted(on_screen) == ["cut off", "off the", "over each"]
    assert any("to be scrolled" in words for words in unreadable(page, on_paper=True))
