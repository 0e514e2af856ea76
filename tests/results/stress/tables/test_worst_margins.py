"""What a reweighting leans on, in words and in τ."""

import numpy as np
import pytest

from results import every
from tauscope.errors import InputError
from tauscope.results.stress.tables.worst_margins import MovedMean, lean_words, moved_means, slider_taus


def test_words_name_what_moves_most_and_one_of_two_levels():
    margins = (
        MovedMean("sex = F", "share", 0.331, 0.41, 0.17, reading="0/1"),
        MovedMean("sex = M", "share", 0.669, 0.59, -0.17, twin=True, reading="0/1"),
        MovedMean("age", "numeric", 38.6, 36.1, -0.1),
        MovedMean("hours", "numeric", 40.0, 40.1, 0.01),
    )
    assert lean_words(margins) == "more sex = F (33.1 % → 41 %); lower age (38.6 → 36.1)"
    assert lean_words(margins[3:]) == "no mean moves by 0.05 standard deviations"


def test_a_table_is_sorted_and_the_second_of_two_levels_is_a_twin():
    study = every.study()
    weights = np.linspace(0, 2, study.n_rows)
    table = moved_means(study.joint_stress()._columns.features, None, weights)
    sizes = [abs(margin.smd) for margin in table]
    assert sizes == sorted(sizes, reverse=True)
    assert not any(margin.twin for margin in table)  # c has three levels


def test_sliders_say_why_they_cannot():
    columns = every.study().joint_stress()._columns
    k = columns.place("a")
    up = float(columns.high[k] - columns.mean[k])
    assert slider_taus([("a", 0.0, 0.5 * up)], columns) == pytest.approx({"a": 0.5})
    assert slider_taus([("a", 0.0, up)], columns) == {"a": 1.0}
    with pytest.raises(InputError, match="The slider of a ends at"):
        slider_taus([("a", 0.0, 1.5 * up)], columns)
    with pytest.raises(InputError, match="The mean of a stays here"):
        slider_taus([("a", 0.0, 0.0)], columns)
    with pytest.raises(InputError, match="No slider moves e"):
        slider_taus([("e", 0.0, 1.0)], columns)
