from tauscope.views.boundary import words as module
from tauscope.views.boundary.words import words_message
from wire import write_boundary


def found():
    return write_boundary.word_study().boundary(7, random_state=0, progress=False, metric="euclidean", n_samples=40)


def message():
    result = found()
    return words_message(write_boundary.MESSAGE, result._numbers, result.direction.to_numpy()), result


def test_words_are_weighed_and_absent_ones_stand_by_where_they_lead():
    words, result = message()
    assert "".join(piece["text"] for piece in words["pieces"]) == write_boundary.MESSAGE
    weights = {piece["text"]: piece["weight"] for piece in words["pieces"]}
    largest = result.direction.abs().max()
    assert abs(weights["FREE"] - result.direction["free"] / largest) < 1e-4
    assert weights[" <b>"] is None
    for side, sign in (("across", 1), ("back", -1)):
        assert all(sign * piece["weight"] > 0 for piece in words[side])
    absent = {piece["text"] for side in ("across", "back") for piece in words[side]}
    assert absent == {name for name in write_boundary.WORDS if result.value[name] == 0 and result.direction[name] != 0}


def test_the_lightest_are_counted_alone(monkeypatch):
    whole, _ = message()
    monkeypatch.setattr(module, "MOST_ABSENT", 2)
    words, _ = message()
    assert (words["across"], words["back"]) == (whole["across"][:2], whole["back"][:2])
    assert words["n_more"] == len(whole["across"]) + len(whole["back"]) - 4
