import numpy as np

from tauscope.results.boundary.pictures import read_shape
from tauscope.views.boundary import pictures as module
from tauscope.views.boundary.answer import answers_wire
from wire import write_boundary

N_PIXELS = 20


def wire(**options):
    found = write_boundary.word_study().boundary(
        7, random_state=0, progress=False, metric="euclidean", n_samples=40, **options
    )
    return found, answers_wire(found, "", shape=read_shape(write_boundary.IMAGE, found._numbers))


def parts(answers, k=0):
    message = answers.message["answers"][k]["pictures"]
    shades = np.frombuffer(answers.pictures, np.uint8)[message["first"] :]
    return message, shades[: (4 + message["n_steps"]) * N_PIXELS].reshape(-1, N_PIXELS)


def test_every_picture_is_what_it_says():
    found, answers = wire()
    message, shades = parts(answers)
    low, high = message["low"], message["high"]
    for place, values in enumerate((found.value, found.point, found.rival)):
        shown = low + (shades[place].astype(float) - 1) / 254 * (high - low)
        np.testing.assert_allclose(shown, values.to_numpy(float), atol=(high - low) / 254)
    direction = found.direction.to_numpy()
    np.testing.assert_allclose((shades[3].astype(float) - 128) / 127, direction / np.abs(direction).max(), atol=0.005)


def test_the_way_begins_at_the_row():
    found, answers = wire()
    message, shades = parts(answers)
    assert message["n_steps"] == len(found.path)
    assert shades[4].tolist() == shades[0].tolist()
    assert shades[-1].tolist() != shades[0].tolist()


def test_a_long_way_is_shown_at_some_steps(monkeypatch):
    monkeypatch.setattr(module, "BUDGET", 50 * N_PIXELS)
    found, answers = wire()
    message, _ = parts(answers)
    assert message["stride"] == 3
    assert message["n_steps"] == int(np.ceil(len(found.path) / 3))


def test_what_was_not_found_is_empty_and_each_answer_has_its_own():
    names = list(write_boundary.WORDS)
    _, nothing = wire(fixed=names)
    message, shades = parts(nothing)
    assert not shades[1].any()
    assert (shades[3] == 128).all()
    assert message["n_steps"] == 0
    _, several = wire(n_regions=3)
    firsts = [answer["pictures"]["first"] for answer in several.message["answers"]]
    assert firsts == sorted(set(firsts))
    whole, last = len(several.pictures), several.message["answers"][-1]["pictures"]
    assert last["first"] + (4 + last["n_steps"]) * N_PIXELS == whole
