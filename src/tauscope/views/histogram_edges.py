"""Where the bars of a feature's histogram begin and end."""

from tauscope.stress.histogram import N_BARS as N_BINS
from tauscope.stress.histogram import histogram_edges

__all__ = ["N_BINS", "histogram_edges"]
