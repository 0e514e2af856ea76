"""Answers in a temporary file: the model is asked once about a chunk, and says the same of it after."""

import numpy as np
import pandas as pd
import pytest

from tauscope.model.output import ModelOutput
from tauscope.rows.kept import AnsweredChunks
from tauscope.rows.reading import Chunk

ANSWERS = {
    "numbers": ModelOutput(np.array([0.25, 0.5, 1 / 3])),
    "text and probabilities": ModelOutput(np.array(["no", "yes", "no"], object), np.array([[0.8, 0.2]] * 3)),
    "labels of two types": ModelOutput(np.array([True, "b", 3], object)),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_each_chunk_is_asked_about_once(name: str) -> None:
    asked: list[str] = []

    def chunk(where: str) -> Chunk:
        def predict() -> ModelOutput:
            asked.append(where)
            return ANSWERS[name]

        return Chunk((), None, predict, 3, pd.DataFrame({"a": range(3)}), where=where)

    answered = AnsweredChunks([chunk("chunk 1"), chunk("chunk 2")])
    assert [each.where for each in answered] == ["chunk 1", "chunk 2"]
    assert asked == []
    first, second = answered
    for each in (second, first, second, *answered, *answered):
        found, want = each.predict(), ANSWERS[name]
        assert found.first.tolist() == want.first.tolist()
        assert [type(value) for value in found.first.tolist()] == [type(value) for value in want.first.tolist()]
        assert (found.scores is None) == (want.scores is None)
        if found.scores is not None and want.scores is not None:
            np.testing.assert_array_equal(found.scores, want.scores)
    assert sorted(asked) == ["chunk 1", "chunk 2"]


def test_a_chunk_the_model_failed_on_is_asked_about_again() -> None:
    answers = iter([ValueError("no"), ModelOutput(np.zeros(1))])

    def predict() -> ModelOutput:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    (chunk,) = AnsweredChunks([Chunk((), None, predict, 1)])
    with pytest.raises(ValueError, match="no"):
        chunk.predict()
    assert chunk.predict().first.tolist() == [0]
