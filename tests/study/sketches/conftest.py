"""Rows of every kind of column with two classes, and a model of them."""

from chunked.conftest import X, model, want, y

__all__ = ["X", "model", "want", "y"]
