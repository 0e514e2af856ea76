"""Tauscope on images, in the environment that runs the benchmark: the process that answers for our side."""

from typing import Any

from image_inputs import Images, images
from protocol import peak_growth, serve, timed
from tauscope import ChunkedStudy, Study

state: dict[str, Images] = {}


def study() -> Any:
    """Every portion with its interval, for every pixel at three τ, from the images as a user holds them."""
    held = state["images"]
    return Study.from_predictions(held.pixels, y_pred=held.predicted).stress_image((28, 28))


def prepare(n_images: int, n_pixels: int, n_classes: int) -> str:
    """Make the inputs; their digest."""
    state["images"] = images(n_images, n_pixels, n_classes)
    return state["images"].digest


def time_study() -> dict[str, float]:
    """Time one call."""
    return timed(study)


def maps() -> Any:
    """Portions at τ = -1 and 1, shape (n_classes, 2, n_pixels)."""
    return study()._curves.value[:, :, [0, 2]].transpose(1, 2, 0).tolist()


def stream(times: int, shape: list[int]) -> dict[str, float]:
    """Time and peak memory of counting the images `times` over and answering for all of them."""
    held = state["images"]
    spent: dict[str, float] = {}

    def work() -> None:
        spent.update(timed(lambda: ChunkedStudy(None, held.again(times)).stress_image(tuple(shape))))

    peak = peak_growth(work)
    return spent | {"peak": peak["before"] + peak["growth"], "growth": peak["growth"]}


if __name__ == "__main__":
    serve({"prepare": prepare, "time": time_study, "maps": maps, "stream": stream})
