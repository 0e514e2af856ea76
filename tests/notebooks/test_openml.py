"""Where there is no folder of copies, the notebooks read what OpenML gives; a stand-in for it answers here."""

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import nbformat
import numpy as np
import pandas as pd
import pytest

from house.tree import ROOT

CREDIT_NUMBERS = ("duration", "credit_amount", "installment_commitment", "residence_since", "age", "existing_credits")


class OpenML:
    """`fetch_openml` as scikit-learn has it, with the columns and types of the three data sets."""

    def __init__(self, shared: ModuleType) -> None:
        self._shared = shared
        self.asked: list[str] = []

    def __call__(self, name: str, *, version: int, as_frame: bool, return_X_y: bool = False) -> Any:
        self.asked.append(f"{name}, version {version}")
        found = {"adult": self._adult, "credit-g": self._credit, "mnist_784": self._mnist}[name]()
        return (found.data, found.target) if return_X_y else found

    def _adult(self) -> SimpleNamespace:
        frame = pd.concat([self._shared.adult("train"), self._shared.adult("test")], ignore_index=True)
        frame = frame.rename(columns={"income": "class"})
        texts = frame.columns.drop(self._shared.ADULT_NUMERIC)
        frame[texts] = frame[texts].replace("?", None).astype("category")
        return SimpleNamespace(frame=frame)

    def _credit(self) -> SimpleNamespace:
        random = np.random.default_rng(0)
        numbers = {name: random.integers(1, 60, 1000) for name in CREDIT_NUMBERS}
        purpose = pd.Categorical(random.choice(["radio/tv", "education", "new car"], 1000))
        target = pd.Series(pd.Categorical(random.choice(["good", "bad"], 1000, p=[0.7, 0.3])), name="class")
        return SimpleNamespace(data=pd.DataFrame(numbers | {"purpose": purpose}), target=target)

    def _mnist(self) -> SimpleNamespace:
        (train, first), (test, second) = self._shared.mnist()
        images = np.concatenate([train, test])[::70].reshape(-1, 784)
        return SimpleNamespace(data=images.astype(np.int64), target=np.concatenate([first, second])[::70].astype(str))


@pytest.fixture
def openml(shared: ModuleType) -> OpenML:
    return OpenML(shared)


def run(notebook: str, cell: str, openml: OpenML, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run one cell of a notebook where `folder` is empty, and return its names."""
    cells = nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4)["cells"]
    (source,) = (one["source"] for one in cells if one["id"] == cell)
    monkeypatch.setenv("TAUSCOPE_DATA", str(folder))
    monkeypatch.setattr("sklearn.datasets.fetch_openml", openml)
    names: dict[str, Any] = {"np": np, "pd": pd, "folder": folder, "fetch_openml": openml}
    exec(source, names)
    return names


def test_adult_for_the_stress(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = run("02-stress", "adult", openml, tmp_path, monkeypatch)["adult"]
    assert openml.asked == ["adult, version 2"]
    assert len(adult) == 48842
    assert (adult["income"] == ">50K").mean() == pytest.approx(0.239, abs=5e-4)


def test_adult_for_the_link(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = run("03-linked", "adult", openml, tmp_path, monkeypatch)["adult"]
    assert {"age", "education-num", "hours-per-week", "sex", "marital-status", "occupation", "income"} <= set(adult)


def test_adult_for_the_effects(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = run("04-effects", "adult", openml, tmp_path, monkeypatch)
    copied = run("04-effects", "adult", openml, Path(openml._shared.HERE), monkeypatch)
    pd.testing.assert_frame_equal(fetched["adult"], copied["adult"])
    pd.testing.assert_series_equal(fetched["rich"], copied["rich"])
    assert openml.asked == ["adult, version 2"]


def test_german_credit(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run("04-effects", "german", openml, tmp_path, monkeypatch)
    assert openml.asked == ["credit-g, version 1"]
    assert [part.shape for part in names["german"]] == [(800, 9), (200, 9)]
    assert {str(kind) for part in names["german"] for kind in part.dtypes} == {"float64"}
    for part, labels in zip(names["german"], names["labels"], strict=True):
        pd.testing.assert_index_equal(part.index, labels.index)
    assert {int(label) for part in names["labels"] for label in part} == {0, 1}


def test_digits(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run("02-stress", "mnist", openml, tmp_path, monkeypatch)
    assert openml.asked == ["mnist_784, version 1"]
    assert names["images"].dtype == np.uint8
    assert names["images"].shape == (1000, 784)
    assert set(names["digits"]) == set(range(10))
