"""Without the data beside them the notebooks read what OpenML gives, or do without; a stand-in for it answers here."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import URLError

import nbformat
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits

import real_data
from house.tree import ROOT

CREDIT_NUMBERS = ("duration", "credit_amount", "installment_commitment", "residence_since", "age", "existing_credits")
N_IMAGES = 1000


def images() -> np.ndarray:
    """Make up images as MNIST has them."""
    return np.random.default_rng(0).integers(0, 256, (N_IMAGES, 28, 28), dtype=np.uint8)


class OpenML:
    """`fetch_openml` as scikit-learn has it, with the columns and types of the three data sets."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, name: str, *, version: int, as_frame: bool, return_X_y: bool = False) -> Any:
        self.asked.append(f"{name}, version {version}")
        found = {"adult": self._adult, "credit-g": self._credit, "mnist_784": self._mnist}[name]()
        return (found.data, found.target) if return_X_y else found

    def _adult(self) -> SimpleNamespace:
        frame = pd.concat([real_data.adult("train"), real_data.adult("test")], ignore_index=True)
        frame = frame.rename(columns={"income": "class"})
        texts = frame.columns.drop(real_data.ADULT_NUMBERS)
        frame[texts] = frame[texts].replace("?", None).astype("category")
        return SimpleNamespace(frame=frame)

    def _credit(self) -> SimpleNamespace:
        random = np.random.default_rng(0)
        numbers = {name: random.integers(1, 60, 1000) for name in CREDIT_NUMBERS}
        purpose = pd.Categorical(random.choice(["radio/tv", "education", "new car"], 1000))
        target = pd.Series(pd.Categorical(random.choice(["good", "bad"], 1000, p=[0.7, 0.3])), name="class")
        return SimpleNamespace(data=pd.DataFrame(numbers | {"purpose": purpose}), target=target)

    def _mnist(self) -> SimpleNamespace:
        labels = np.arange(N_IMAGES) % 10
        return SimpleNamespace(data=images().reshape(-1, 784).astype(np.int64), target=labels.astype(str))


class NoNetwork(OpenML):
    """OpenML as it answers where there is no network."""

    def _mnist(self) -> SimpleNamespace:
        raise URLError("no route to host")


@pytest.fixture
def openml() -> OpenML:
    return OpenML()


def run(notebook: str, cell: str, openml: OpenML, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Run one cell of a notebook that lies in `folder`, and return its names."""
    cells = nbformat.read(ROOT / "notebooks" / f"{notebook}.ipynb", as_version=4)["cells"]
    (source,) = (one["source"] for one in cells if one["id"] == cell)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", openml)
    imported = {"np": np, "pd": pd, "os": os, "Path": Path, "fetch_openml": openml, "load_digits": load_digits}
    names: dict[str, Any] = imported | {"folder": Path("data")}
    exec(source, names)
    return names


def test_adult_for_the_stress(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = run("02-stress", "adult", openml, tmp_path, monkeypatch)["adult"]
    assert openml.asked == ["adult, version 2"]
    assert len(adult) == 48842
    assert (adult["income"] == ">50K").mean() == pytest.approx(0.239, abs=5e-4)


@pytest.mark.parametrize(
    ("notebook", "cell"),
    [("02-stress", "adult"), ("03-linked", "adult"), ("04-effects", "adult"), ("04-effects", "german")],
)
def test_nothing_is_asked_for_what_lies_beside(
    notebook: str, cell: str, openml: OpenML, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(notebook, cell, openml, ROOT / "notebooks", monkeypatch)
    assert openml.asked == []


def test_adult_for_the_link(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adult = run("03-linked", "adult", openml, tmp_path, monkeypatch)["adult"]
    assert openml.asked == ["adult, version 2"]
    assert {"age", "education-num", "hours-per-week", "sex", "marital-status", "occupation", "income"} <= set(adult)


def test_adult_for_the_effects(openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = run("04-effects", "adult", openml, tmp_path, monkeypatch)
    copied = run("04-effects", "adult", openml, ROOT / "notebooks", monkeypatch)
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


class TestDigits:
    """MNIST is not in the project: from a folder of one's own, else from OpenML, else scikit-learn's digits."""

    def test_from_openml(self, openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("TAUSCOPE_DATA", raising=False)
        names = run("02-stress", "mnist", openml, tmp_path, monkeypatch)
        assert openml.asked == ["mnist_784, version 1"]
        assert names["images"].dtype == np.uint8
        assert names["images"].shape == (N_IMAGES, 784)
        assert set(names["digits"]) == set(range(10))
        assert (names["name"], names["side"]) == ("MNIST", 28)

    def test_from_a_folder(self, openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        parts = {"x_train": images()[:600], "x_test": images()[600:], "y_train": np.arange(600) % 10}
        np.savez(tmp_path / "mnist.npz", **parts, y_test=np.arange(N_IMAGES - 600) % 10)
        monkeypatch.setenv("TAUSCOPE_DATA", str(tmp_path))
        names = run("02-stress", "mnist", openml, tmp_path, monkeypatch)
        assert openml.asked == []
        assert np.array_equal(names["images"], images().reshape(-1, 784))
        assert len(names["digits"]) == N_IMAGES
        assert names["name"] == "MNIST"

    def test_of_scikit_learn_where_the_folder_has_none(
        self, openml: OpenML, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("TAUSCOPE_DATA", str(tmp_path))
        names = run("02-stress", "mnist", openml, tmp_path, monkeypatch)
        assert openml.asked == []
        assert names["images"].shape == (1797, names["side"] ** 2)
        assert names["n_fit"] + names["n_test"] == 1797

    def test_of_scikit_learn_where_there_is_no_network(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("TAUSCOPE_DATA", raising=False)
        offline = NoNetwork()
        names = run("02-stress", "mnist", offline, tmp_path, monkeypatch)
        assert offline.asked == ["mnist_784, version 1"]
        assert names["name"] == "scikit-learn's digits"
