"""The inputs of the image cases, from a seed; NumPy only: both environments run it."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Images:
    """8-bit images, four fifths of them black, and a class for each.

    Attributes
    ----------
    pixels : uint8 ndarray of shape (n_images, n_pixels)
    predicted : int64 ndarray of shape (n_images,)
    """

    pixels: np.ndarray
    predicted: np.ndarray

    @property
    def digest(self) -> str:
        """Hash of both: equal in two processes means that they measured the same work."""
        digest = hashlib.sha256(memoryview(self.pixels).cast("B"))
        digest.update(memoryview(self.predicted).cast("B"))
        return digest.hexdigest()[:16]

    def again(self, times: int) -> Iterator[tuple[np.ndarray, None, np.ndarray]]:
        """Yield the images as a chunk without truth, over and over: more images than memory needs to hold."""
        for _ in range(times):
            yield self.pixels, None, self.predicted


def images(n_images: int, n_pixels: int, n_classes: int, seed: int = 0) -> Images:
    """Draw pixels that are black with probability 0.8 and even else; the class leans on the first pixels."""
    rng = np.random.default_rng(seed)
    pixels = rng.integers(1, 256, (n_images, n_pixels), dtype=np.uint8)
    pixels[rng.random((n_images, n_pixels), dtype=np.float32) < 0.8] = 0
    lean = pixels[:, : 4 * n_classes].reshape(n_images, n_classes, 4).astype(np.int64).sum(axis=2)
    return Images(pixels, (lean + rng.integers(0, 200, lean.shape)).argmax(axis=1))
