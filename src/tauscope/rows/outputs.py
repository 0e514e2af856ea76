"""How what a model returns is read: found from the first chunk and the labels of all, then applied to each."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tauscope.data import labels
from tauscope.errors import InputError
from tauscope.model.consistency import consistency_notes
from tauscope.model.output import ModelOutput
from tauscope.model.prediction import OutputSpec, Prediction
from tauscope.model.task import TaskHints, infer_output_spec
from tauscope.rows.reading import Chunk
from tauscope.stress.metrics import Units, measure_units
from tauscope.stress.outcomes import Outcomes
from tauscope.stress.score_steps import ScoreSteps

EXAMPLE = 256
"""Rows whose answers show what a model gives."""


@dataclass(frozen=True)
class OutputStart:
    """What the first chunk says of the model's outputs.

    Attributes
    ----------
    spec : OutputSpec
    units : mapping of str to Unit
        Those of the first rows, in which all are then summed.
    scored : bool
        Whether there is a score of the positive class, or of each of several.
    example : Prediction
        Of the first rows, a few.
    notes : tuple of str
        What is unusual about the model's answers to the first chunk.
    """

    spec: OutputSpec
    units: Units
    scored: bool
    example: Prediction
    notes: tuple[str, ...] = ()


def infer_outputs(chunk: Chunk, hints: TaskHints, model_name: str, method: str) -> OutputStart:
    """Find how answers are read.

    Parameters
    ----------
    chunk : Chunk
        The first with rows.
    hints : TaskHints
        Their `y` being the labels and values that occur in all rows.
    model_name : str
    method : str
        What gives the scores; "" for predictions that come with the rows.
    """
    output = chunk.predict()
    spec = infer_output_spec(output, hints)
    first = read_outcomes(spec, chunk.y, output, model_name)
    notes = consistency_notes(spec, output, None if chunk.again is None else chunk.again(), method)
    scored = first.score is not None or first.scores is not None
    answers = spec(output, model_name)
    score, scores = (None if each is None else each[:EXAMPLE] for each in (answers.score, answers.scores))
    example = Prediction(answers.predicted[:EXAMPLE], score, scores)
    return OutputStart(spec, measure_units(first, None), scored, example, notes)


def read_outcomes(
    spec: OutputSpec, y: NDArray[Any] | None, output: ModelOutput, model_name: str, steps: ScoreSteps | None = None
) -> Outcomes:
    """Turn a chunk's answers and truth into what the engine sums.

    Raises
    ------
    InputError
        For answers outside [0, 1] where those of the first chunk were taken for probabilities.
    """
    if spec.source == "score" and spec.threshold == 0.5:
        first = output.first
        if first.size and (first.min() < 0 or first.max() > 1):
            raise InputError(
                f"Answers of the first rows were read as probabilities; these go from {first.min():g} to "
                f"{first.max():g}. Say what they are: response_method='decision_function', or task='regression'."
            )
    prediction = spec(output, model_name)
    truth = None if y is None else spec.truth(y)
    scores = prediction.scores if spec.task == "multiclass" else None
    names = labels.names(spec.classes)
    return Outcomes(
        spec.task, prediction.predicted, truth, prediction.score, names, scores, in_chunks=True, steps=steps
    )


def no_outcomes(spec: OutputSpec, *, labelled: bool, scored: bool, steps: ScoreSteps | None = None) -> Outcomes:
    """Return outcomes of no rows, for what there would be."""
    none: NDArray[Any] = np.zeros(0, np.float64 if spec.task == "regression" else np.int64)
    score = np.zeros(0) if scored and spec.task == "binary" else None
    scores = np.zeros((0, len(spec.classes))) if scored and spec.task == "multiclass" else None
    truth, names = none if labelled else None, labels.names(spec.classes)
    return Outcomes(spec.task, none, truth, score, names, scores, in_chunks=True, steps=steps)
