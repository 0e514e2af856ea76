import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

import tauscope as ts
from tauscope.errors import InputError, InputTypeError, UnknownName
from tauscope.study.study import Study

COLUMNS = (
    "pixel", "row", "column", "channel", "tau", "target", "metric", "value", "lower", "upper", "reliability", "ess",
    "pareto_k", "kl", "tv", "note",
)  # fmt: skip


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:900], y[:900]
    model = LogisticRegression(max_iter=2000).fit(X[::2], y[::2])
    return X, y, model


@pytest.fixture(scope="module")
def image(digits):
    X, y, model = digits
    return Study(model, X, y).stress_image((8, 8))


@pytest.mark.slow
def test_maps_are_the_differences_of_curves(digits, image):
    X, y, model = digits
    curves = Study(model, X, y).stress_curves(taus=[-1, 0, 1])
    moved = image.map("portion_3")
    assert moved.shape == (8, 8)
    places = [int(name[1:]) for name in curves.feature_names]
    ranked = curves.rank("portion_3")
    for name, place in zip(curves.feature_names, places, strict=True):
        assert moved.ravel()[place] == pytest.approx(ranked[name], abs=1e-9)
    assert np.isnan(moved[image.constant]).all()
    assert image.constant.sum() == 64 - len(places)
    half = image.map("error_rate", 0, 0.5)
    at = Study(model, X, y).stress_curves(taus=[0, 0.5], metrics="error_rate")
    assert half.ravel()[20] == pytest.approx(at.rank("error_rate", 0, 0.5)["x20"], abs=1e-9)


def test_frame(image):
    frame = image.frame
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == 64 * 3 * 11
    one = frame[(frame["pixel"] == 21) & (frame["tau"] == 1) & (frame["metric"] == "portion_7")].iloc[0]
    assert (one["row"], one["column"], one["channel"]) == (2, 5, 0)
    assert one["value"] == image._curves.value[21, 7, 2]
    assert frame[frame["pixel"] == 0]["note"].eq("the pixel has one value in every image").all()


@pytest.mark.parametrize("scale", [1 / 16, 0.37])
def test_pixels_on_another_scale(digits, image, scale):
    X, y, model = digits
    predicted = model.predict(X)
    other = Study.from_predictions(X * scale, y, predicted).stress_image((8, 8))
    np.testing.assert_allclose(other._curves.value, image._curves.value, atol=1e-9)
    np.testing.assert_allclose(other._curves.target, image._curves.target * scale, rtol=1e-9)


@pytest.mark.slow
def test_pixels_of_many_values_go_by_their_columns(digits):
    X, y, model = digits
    rng = np.random.default_rng(0)
    noisy = X + 0.01 * rng.normal(size=X.shape)
    noisy[:, 0] = 0
    study = Study.from_predictions(noisy, y, model.predict(X))
    image, curves = study.stress_image((8, 8), taus=3, metrics="error_rate"), study.stress_curves(taus=3)
    assert image.constant.sum() == 1
    place = curves._metric_place("error_rate")
    np.testing.assert_allclose(image._curves.value[1:, 0], curves._curves.value[:, place], rtol=1e-9)
    assert image.at(5).taus.tolist() == [-1, -0.5, 0, 0.5, 1]


@pytest.mark.slow
def test_weighted_images(digits):
    X, y, model = digits
    weight = np.random.default_rng(0).gamma(2.0, size=len(X))
    study = Study(model, X, y, sample_weight=weight)
    image, curves = study.stress_image((8, 8)), study.stress_curves(taus=[-1, 0, 1])
    kept = ~image.constant.ravel()
    np.testing.assert_allclose(image._curves.value[kept], curves._curves.value, rtol=1e-9)


@pytest.mark.parametrize("container", [np.uint8, np.float32, "frame"])
def test_containers(digits, image, container):
    X, y, model = digits
    given = pd.DataFrame(X) if container == "frame" else X.astype(container)
    other = Study.from_predictions(given, y, model.predict(X)).stress_image((8, 8))
    np.testing.assert_array_equal(other._curves.value, image._curves.value)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ((8, 9), "8 × 9 is 72 pixels, and there are 64 columns. Try shape=\\(8, 8\\)"),
        ((64,), "must be"),
        (8, "must be"),
        ((8, 8.5), "must be"),
        ((0, 64), "must be"),
        ("ab", "must be"),
    ],
)
def test_shapes_that_do_not_match(digits, shape, words):
    X, y, model = digits
    with pytest.raises(InputError, match=words):
        Study(model, X, y).stress_image(shape)


def test_studies_that_have_no_maps(digits):
    X, y, _ = digits
    with pytest.raises(InputError, match="of a regression"):
        Study.from_predictions(X, y.astype(float), y + 0.5, task="regression").stress_image((8, 8))
    with pytest.raises(InputError, match="every one has one value"):
        Study.from_predictions(np.zeros((10, 4)), np.arange(10) % 2, np.arange(10) % 2).stress_image((2, 2))
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": list("xyxy")})
    with pytest.raises(InputError, match="'b' has levels"):
        Study.from_predictions(frame, [0, 1, 0, 1], [0, 1, 1, 1]).stress_image((1, 2))


@pytest.mark.parametrize("option", [{"taus": 4}, {"quantile": 0.6}, {"confidence": 2}, {"metrics": "error"}])
def test_options_out_of_range(digits, option):
    X, y, model = digits
    with pytest.raises((InputError, UnknownName)):
        Study(model, X, y).stress_image((8, 8), **option)


def chunks(X, predicted, y=None, *, size=100, shape=(8, 8)):
    for start in range(0, len(X), size):
        rows = slice(start, start + size)
        yield X[rows].astype(np.uint8).reshape(-1, *shape), None if y is None else y[rows], predicted[rows]


@pytest.mark.slow
@pytest.mark.parametrize("size", [37, 100, 5000])
def test_chunks_give_the_same_maps(digits, image, size):
    X, y, model = digits
    streamed = ts.ChunkedStudy(None, chunks(X, model.predict(X), y, size=size)).stress_image((8, 8))
    np.testing.assert_array_equal(streamed._curves.value, image._curves.value)
    np.testing.assert_array_equal(streamed._curves.lower, image._curves.lower)
    assert streamed.metric_names == image.metric_names
    assert (streamed.n_rows, streamed.title) == (900, "Stress image of predictions")


def test_chunks_without_truth_and_of_two_classes(digits):
    X, y, model = digits
    predicted = np.where(model.predict(X) == 3, "three", "other")
    streamed = ts.ChunkedStudy(None, chunks(X, predicted), classes=("other", "three")).stress_image((8, 8))
    study = Study.from_predictions(X, y_pred=predicted, classes=("other", "three"))
    np.testing.assert_allclose(streamed._curves.value, study.stress_image((8, 8))._curves.value)
    assert streamed.metric_names == ("portion_three",)
    with_truth = ts.ChunkedStudy(None, chunks(X, predicted, np.where(y == 3, "three", "other"))).stress_image((8, 8))
    assert "true_positive_rate" in with_truth.metric_names


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ([], InputError, "no images"),
        ([np.zeros((2, 4), np.uint8)], InputTypeError, "In chunk 1: A chunk must be a frame or a tuple"),
        ([(np.zeros((2, 4), np.uint8), [0, 1])], InputError, "In chunk 1: Predictions are needed"),
        ([(np.zeros((2, 4)), None, [0, 1])], InputTypeError, "8-bit"),
        ([(np.zeros((2, 5), np.uint8), None, [0, 1])], InputError, "In chunk 1: Images must have 4 pixels each"),
        ([(np.zeros((2, 4), np.uint8), None, [0])], InputError, "one label per image"),
        ([(np.eye(4, dtype=np.uint8), None, [0, 0, 0, 0])], InputError, "two classes"),
        ([(np.zeros((2, 4), np.uint8), None, [0, 1])], InputError, "one value in all images"),
        (
            [(np.eye(4, dtype=np.uint8), None, [0, 1, 0, 1]), (np.eye(4, dtype=np.uint8), [0, 1, 0, 1], [0, 1, 0, 1])],
            InputError,
            "In chunk 2: .*not as those before it",
        ),
    ],
)
def test_chunks_that_cannot_be_counted(given, error, words):
    with pytest.raises(error, match=words):
        ts.ChunkedStudy(None, given).stress_image((2, 2))


def test_labels_must_be_among_the_classes(digits):
    X, _, model = digits
    with pytest.raises(UnknownName, match="In chunk 1: "):
        ts.ChunkedStudy(None, chunks(X, model.predict(X)), classes=[0, 1]).stress_image((8, 8))


def test_notes_of_one_pixel():
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (400, 2, 2)).astype(np.uint8)
    pixels[:, 0, 0] = 9
    pixels[:, 0, 1] = np.where(np.arange(400) < 8, 255, 0)
    found = ts.ChunkedStudy(None, [(pixels, pixels[:, 1, 1] > 90, pixels[:, 1, 1] > 0)]).stress_image((2, 2))
    assert found.notes == (
        "1 of 4 pixels has one value in every image and cannot be moved",
        "1 pixel has two values, one of them rare: τ = ±1 there multiplies its odds by 4",
    )


def test_notes_and_text(image):
    assert "have one value in every image" in image.notes[0]
    assert "at pixel (" in repr(image)


@pytest.mark.slow
def test_chart(image):
    spec = image.chart(["portion_1", "error_rate"]).to_dict()
    assert len(spec["concat"]) == 2
    assert len(image.chart().to_dict()["concat"]) == 10
    with pytest.raises(UnknownName, match="portion_1"):
        image.chart("portion_11")


def test_chart_of_too_many_cells_is_refused(monkeypatch, image):
    monkeypatch.setattr("tauscope.figures.stress.image.MANY", 100)
    with pytest.raises(InputError, match="fewer metrics"):
        image.chart()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["html", "csv", "json", "svg", "npz"])
def test_save(image, tmp_path, ending):
    path = tmp_path / f"maps.{ending}"
    image.save(path)
    if ending == "npz":
        with np.load(path) as held:
            np.testing.assert_array_equal(held["value"], image._curves.value)
            assert held["metrics"].tolist() == list(image.metric_names)
    elif ending == "json":
        assert json.loads(path.read_text("utf-8"))["summary"]["shape"] == [8, 8]
    else:
        assert path.stat().st_size > 1000
    with pytest.raises(InputError, match=r"\.npz; got"):
        image.save(tmp_path / "maps.xlsx")
