import pytest

from tauscope.errors import InputError
from tauscope.views.boundary.texts import read_texts
from wire import write_boundary


def found(row=7):
    return write_boundary.word_study().boundary(row, random_state=0, progress=False, metric="euclidean", n_samples=40)


def test_one_text_is_of_the_row_it_was_given_for():
    result = found()
    texts = read_texts("free call", result)
    assert texts.text_of(result) == "free call"
    assert texts.text_of(found(8)) is None
    assert read_texts(None, result).text_of(result) is None


def test_of_all_texts_it_is_the_rows_own():
    every = [f"message {row}" for row in range(write_boundary.N_ROWS)]
    texts = read_texts(every, found())
    assert texts.text_of(found(8)) == "message 8"
    given = write_boundary.word_study().boundary(write_boundary.word_counts().iloc[7], progress=False, n_samples=40)
    assert texts.text_of(given) is None


@pytest.mark.parametrize(("text", "words"), [(3, "got 3"), (["a"], "got 1 text"), ([None] * 60, "got None")])
def test_anything_else_is_refused(text, words):
    with pytest.raises(InputError, match=f"each of the study's 60 rows; {words}. Give text=message"):
        read_texts(text, found())
