"""What a model decides for one row: the class, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass

from tauscope.results.boundary.numbers import AnswerKind
from tauscope.results.formatting import number, share


@dataclass(frozen=True)
class RowDecision:
    """What a model decides for one row.

    Made by `Study.predict_row`.

    Attributes
    ----------
    label : str
        The class; of a regression with a threshold "up to 3", "above 3".
    answer : float
        Probability or score of that class, 1 of a model of labels alone; of a regression the prediction.
    kind : {"probability", "score", "label", "value"}
        What the answer is.
    n_model_rows : int
        Rows the model was called on: 2 where label and answer take a call each.
    switched_off : tuple of str
        One-hot columns that became 0 since another level was put in.
    """

    label: str
    answer: float
    kind: AnswerKind
    n_model_rows: int
    switched_off: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The decision and its answer: "benign, 71 %"."""
        match self.kind:
            case "probability":
                return f"{self.label}, {share(self.answer)}"
            case "score":
                return f"{self.label}, score {number(self.answer)}"
            case "value":
                return f"{self.label}, prediction {number(self.answer)}"
            case "label":
                return self.label
