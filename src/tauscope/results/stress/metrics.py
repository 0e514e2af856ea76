"""What results of several metrics have in common: names, places, and the metric that is spoken of first."""

from collections.abc import Sequence

from tauscope.errors import place_of
from tauscope.stress.metrics import Metric


class WithMetrics:
    """A result with a value for each of several metrics."""

    @property
    def _metrics(self) -> tuple[Metric, ...]:
        raise NotImplementedError

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, in order."""
        return tuple(metric.name for metric in self._metrics)

    @property
    def leading_metric(self) -> Metric:
        """The metric that is shown first: the first portion of a class, else the first of all."""
        return self._metrics[self.metric_names.index(leading_name(self.metric_names))]

    def metric_place(self, name: str) -> int:
        """Place of a metric among `metric_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("metric", name, self.metric_names)


def leading_name(names: Sequence[str]) -> str:
    """Return the first portion of a class among the names of metrics, else the first of all."""
    return next((name for name in names if name.startswith("portion_")), names[0])
