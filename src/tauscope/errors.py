"""The errors a caller may want to catch; every message says the rule, the value received and the next step."""


class TauscopeError(Exception):
    """Base of every error raised on purpose by Tauscope."""


class InputError(TauscopeError, ValueError):
    """A value that a study, a stress or a view cannot take."""


class InputTypeError(TauscopeError, TypeError):
    """An object of a kind that a study, a stress or a view cannot take."""


class UnknownName(InputError, KeyError):
    """A feature, metric or level that is not there; the message names the nearest ones."""

    __str__ = ValueError.__str__


class InfeasibleTarget(InputError):
    """A target outside what any reweighting of the rows can reach; the message gives the range that can be."""


class DependentConstraints(InputError):
    """Constraints of which one already follows from, or contradicts, the others; the message names them."""


class FailedPartition(TauscopeError, RuntimeError):
    """A partition of a collection that could not be computed, or on which the model failed; the message names it."""
