"""What a page weighs beside the data in it: its scripts are compressed, and unpacked by the browser."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

import tauscope as ts

pytestmark = pytest.mark.slow

MOST = 300_000


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 3)), columns=["a", "b", "c"])
    y = X["a"] + rng.normal(size=120) > 0
    return ts.Study(LogisticRegression().fit(X, y), X, y)


VIEWS = {
    "curves": lambda study: study.stress_curves(),
    "harm": lambda study: study.stress_curves().harm(),
    "surface": lambda study: study.stress_surface("a", "b", taus=5),
    "joint": lambda study: study.joint_stress(),
    "effect": lambda study: study.effect("a"),
    "boundary": lambda study: study.boundary(0, random_state=0),
    "pooled": lambda study: study.pooled_boundary(range(10), random_state=0),
    "rules": lambda study: study.rules(0),
    "table": lambda study: study.table(),
    "workspace": lambda study: study,
}
CHARTS = {"bounds": lambda study: study.effect("a").bounds(0.1), "effects": lambda study: study.effects()}


def beside_data(text):
    return len(re.sub(r'(?<=id="state">).*?(?=</script>)', "", text, flags=re.S).encode())


@pytest.mark.parametrize("kind", VIEWS)
def test_a_view_weighs_at_most_300_kB(study, tmp_path, kind):
    path = tmp_path / "page.html"
    VIEWS[kind](study).save(path)
    assert 20_000 < beside_data(path.read_text("utf-8")) <= MOST


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_weighs_at_most_300_kB_with_its_data(study, tmp_path, kind):
    path = tmp_path / "page.html"
    CHARTS[kind](study).save(path)
    text = path.read_text("utf-8")
    assert 150_000 < len(text.encode()) <= MOST
    assert text.count("<script") == 4
