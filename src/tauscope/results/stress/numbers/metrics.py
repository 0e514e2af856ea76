"""What results of several metrics have in common: names, places, and the metric that is spoken of first."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tauscope.arguments import checks_arguments
from tauscope.errors import place_of
from tauscope.stress.metrics import Metric


@checks_arguments
class WithMetrics(ABC):
    """A result with a value for each of several metrics."""

    @property
    @abstractmethod
    def _metrics(self) -> tuple[Metric, ...]: ...

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics, in order."""
        return tuple(metric.name for metric in self._metrics)

    @property
    def _leading_metric(self) -> Metric:
        """The metric that is shown first: the first portion of a class, else the first of all."""
        return leading(self._metrics)

    def _metric_place(self, name: str) -> int:
        """Place of a metric among `metric_names`; UnknownName, with the nearest, when it is not there."""
        return place_of("metric", name, self.metric_names)


def leading(metrics: Sequence[Metric]) -> Metric:
    """Return the first of those that lead, as the portions of the classes do, else the first of all."""
    return next((metric for metric in metrics if metric.leading), metrics[0])
