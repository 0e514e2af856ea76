"""The authors' package on images, in its own environment."""

import warnings
from typing import Any

import ethik
import numpy as np
import pandas as pd

from image_inputs import Images, images
from protocol import serve, timed

state: dict[str, Images] = {}


def influence() -> Any:
    """Portion of every class for every pixel at τ = -1, 0, 1.

    At its default tolerance: τ = -1 of a mostly black pixel is black, a limit that no multiplier meets to 1e-10, and
    what is not met is given as unstressed.
    """
    held = state["images"]
    explainer = ethik.ImageClassificationExplainer(n_jobs=1, memoize=False, verbose=False)
    one_hot = pd.DataFrame(np.eye(held.predicted.max() + 1)[held.predicted])
    return explainer.explain_influence(X_test=held.pixels.reshape(-1, 28, 28), y_pred=one_hot)


def prepare(n_images: int, n_pixels: int, n_classes: int) -> str:
    """Make the inputs; their digest."""
    state["images"] = images(n_images, n_pixels, n_classes)
    return state["images"].digest


def time_influence() -> dict[str, float]:
    """Time one call."""
    return timed(influence)


def maps() -> Any:
    """Portions at τ = -1 and 1, shape (n_classes, 2, n_pixels), and whether all converged."""
    frame = influence()
    frame["pixel"] = [28 * row + column for row, column in frame["feature"]]
    ends = frame[frame["tau"].isin([-1.0, 1.0])].sort_values(["label", "tau", "pixel"])
    values = ends["influence"].to_numpy().reshape(-1, 2, 784)
    return {"value": values.tolist(), "converged": bool(frame["converged"].all())}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve({"prepare": prepare, "time": time_influence, "maps": maps})
