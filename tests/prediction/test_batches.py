import numpy as np
import pytest

from effects.models import Counting, data, smooth
from tauscope.effects import BatchOptions, custom_grid, numeric_grid, partial_dependence
from tauscope.errors import InputError
from tauscope.prediction.batches import BatchPredictor, predict_pairs, split_evenly
from tauscope.prediction.rows import as_rows

X = data()
GRID = numeric_grid(X[:, 0], 10)


def run(predict=smooth, **batches):
    return partial_dependence(predict, X, (0,), (GRID,), batches=BatchOptions(**batches))


@pytest.mark.slow
def test_batches_do_not_change_the_answer():
    whole = run()
    for batch_rows in (1, 7, 10, 64, 10**6):
        model = Counting(smooth)
        part = run(model, batch_rows=batch_rows)
        assert max(model.calls) <= batch_rows
        assert model.rows == part.n_model_rows == whole.n_model_rows == 240 * 10
        assert np.allclose(part.effect, whole.effect, atol=1e-13, rtol=0)
        assert np.array_equal(part.ice, whole.ice)


def test_batches_are_bounded_by_memory():
    assert BatchOptions().rows_per_batch(20) == 200_000
    assert BatchOptions().rows_per_batch(1_000) == 4194
    assert BatchOptions().rows_per_batch(10**7) == 1_000


def test_copies_of_a_row_stand_side_by_side():
    seen = []

    def predict(rows):
        seen.append(rows.copy())
        return rows[:, 0]

    run(predict)
    asked = np.concatenate(seen)
    assert np.array_equal(asked[:10, 1:], np.repeat(asked[:1, 1:], 10, axis=0))
    assert np.array_equal(asked[:10, 0], GRID.values)


def test_parts_are_spread_over_the_rows():
    parts = split_evenly(10, 4)
    assert [part.tolist() for part in parts] == [[0, 3, 6, 9], [1, 4, 7], [2, 5, 8]]


def test_progress_sees_every_batch_and_can_stop():
    steps = []
    whole = run(batch_rows=600, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(600, 2400), (1200, 2400), (1800, 2400), (2400, 2400)]
    assert whole.status == "complete"

    part = run(batch_rows=600, progress=lambda done, total: done >= 1200)
    assert part.n_model_rows == 1200
    assert (part.status, part.n_done, part.n_total) == ("stopped", 120, 240)
    assert np.array_equal(part.ice_rows, np.sort(np.concatenate([np.arange(0, 240, 4), np.arange(1, 240, 4)])))
    assert np.allclose(part.effect, whole.ice[:, part.ice_rows].mean(axis=1))
    assert part.n.tolist() == [120] * 10


def test_an_interrupt_keeps_what_there_is():
    calls = []

    def predict(rows):
        calls.append(len(rows))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return rows[:, 0]

    part = run(predict, batch_rows=600)
    assert (part.status, part.n_done) == ("stopped", 120)
    calls[:] = [0, 0]
    with pytest.raises(KeyboardInterrupt):
        run(predict)


def test_an_interrupted_list_of_pairs_keeps_what_there_is():
    calls = []

    def predict(rows):
        calls.append(len(rows))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return rows[:, 0]

    predictor = BatchPredictor(predict, as_rows(X), (0,), BatchOptions(batch_rows=4), total=12)
    index = np.repeat(np.arange(6), 2)
    answers, reached = predict_pairs(predictor, index, np.arange(12.0)[:, None], index)
    assert reached.tolist() == [0, 1, 6, 7]
    assert answers.tolist() == [[0, 1, 6, 7]]
    calls[:] = [0]
    with pytest.raises(KeyboardInterrupt):
        predict_pairs(
            BatchPredictor(predict, as_rows(X), (0,), BatchOptions(), total=12), index, np.arange(12.0)[:, None], index
        )


def test_known_answers_are_not_asked_again():
    rounded = np.round(X)
    grid = numeric_grid(rounded[:, 0], 30)
    model = Counting(smooth)
    known = partial_dependence(model, rounded, (0,), (grid,), batches=BatchOptions(predicted=smooth(rounded)))
    asked = partial_dependence(smooth, rounded, (0,), (grid,))
    assert np.array_equal(known.ice, asked.ice)
    assert model.rows == known.n_model_rows < asked.n_model_rows


def test_all_known_asks_nothing():
    index = np.arange(240)
    predictor = BatchPredictor(smooth, as_rows(X), (0,), BatchOptions(predicted=smooth(X)), total=240)
    assert np.array_equal(predictor.predict(index, X[:, [0]]), smooth(X).T)
    assert predictor.n_model_rows == 0


def test_rows_alike_are_predicted_once():
    doubled = np.concatenate([X, X[::-1]])
    model = Counting(smooth)
    twice = partial_dependence(model, doubled, (0,), (GRID,))
    once = run()
    assert model.rows == twice.n_model_rows == once.n_model_rows
    assert np.allclose(twice.effect, once.effect, atol=1e-13)
    assert np.array_equal(twice.ice, np.concatenate([once.ice, once.ice[:, ::-1]], axis=1))


def widening(rows, calls=[0]):  # noqa: B006
    calls[0] += 1
    return np.zeros((len(rows), calls[0]))


@pytest.mark.parametrize(
    ("predict", "batches", "message"),
    [
        (lambda rows: np.full(len(rows), 1e200), {}, "within ±1e.150, whose squares are numbers"),
        (lambda rows: np.zeros(3), {}, "one answer per row"),
        (lambda rows: np.zeros((len(rows), 2, 2)), {}, "one answer per row"),
        (lambda rows: np.zeros((len(rows), 0)), {}, "one answer per row"),
        (lambda rows: ["a"] * len(rows), {}, "must return numbers"),
        (lambda rows: np.full(len(rows), np.nan), {}, "2400 NaN or infinite of 2400"),
        (widening, {"batch_rows": 100}, "as many responses each time"),
        (smooth, {"batch_rows": 0}, "batch_rows must be at least 1"),
        (smooth, {"predicted": np.zeros(240)}, "predicted must have as many responses"),
        (smooth, {"predicted": np.zeros(3)}, "one answer per row"),
    ],
)
def test_bad_models_are_said(predict, batches, message):
    with pytest.raises(InputError, match=message):
        run(predict, **batches)


def test_a_frame_like_container_reaches_predict_untouched():
    class Records:
        """Rows of dictionaries, a category among them."""

        n_rows, n_columns = 3, 2
        levels = ("no", "yes")

        def column(self, column):
            return [np.array([0.0, 1.0, np.nan]), np.array([1.0, 2.0, 3.0])][column]

        def substituted(self, index, columns, values):
            records = [{"a": self.level(self.column(0)[i]), "b": self.column(1)[i]} for i in index]
            for record, row in zip(records, values, strict=True):
                for column, value in zip(columns, row, strict=True):
                    record["ab"[column]] = self.level(value) if column == 0 else value
            return records

        def level(self, code):
            return None if np.isnan(code) else self.levels[int(code)]

    def predict(records):
        return [record["b"] * (record["a"] == "yes") + 10 * (record["a"] is None) for record in records]

    grid = custom_grid([0, 1, np.nan], Records().column(0), categorical=True)
    assert partial_dependence(predict, Records(), (0,), (grid,)).effect.tolist() == [[0, 2, 10]]
