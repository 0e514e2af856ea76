"""What a page says of an error."""

from tauscope.model.calls import raised_by_model


def error_words(error: Exception) -> str:
    """Write an error as a notebook does, its type, then what it says; of one of the model's, whose it is."""
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"Your model raised {words}" if raised_by_model(error) else words


def plain_words(error: Exception) -> str:
    """Write the same of an error of the model; of any other what it says alone."""
    return error_words(error) if raised_by_model(error) else str(error)
