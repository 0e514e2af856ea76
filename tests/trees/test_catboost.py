"""Trees read from files that CatBoost wrote answer as CatBoost did, on borders and for what is missing too."""

from copy import copy

import numpy as np
import pytest

import tauscope as ts
from tauscope.trees.adapters import read_trees
from tauscope.trees.tree_model import UnreadableModel, check_trees, classifies
from trees.catboost_models import kept_model
from trees.libraries import computed_of

NAMES = ("two-classes", "three-classes", "values", "depthwise", "counts")


def response_of(model):
    return "predict_proba" if classifies(model) else "predict"


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_catboost_s(name):
    model, rows, answers = kept_model(name)
    np.testing.assert_allclose(getattr(model, response_of(model))(rows), answers, rtol=1e-12)  # the stand-in's own
    read = read_trees(model, response_of(model))
    answers = answers[None] if answers.ndim == 1 else answers.T
    np.testing.assert_allclose(computed_of(read, rows), answers, rtol=1e-12)
    check_trees(read, rows, answers)


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_that_has_lost_its_number_of_columns_is_read(name):
    model, rows, answers = kept_model(name)
    read = read_trees(copy(model), response_of(model))
    assert len(read.column_of) == rows.shape[1]
    check_trees(read, rows, answers[None] if answers.ndim == 1 else answers.T)


def test_a_copy_takes_an_array_and_what_is_nearer_is_proved_of_it():
    model, rows, _ = kept_model("two-classes")
    study = ts.Study(copy(model), rows[~np.isnan(rows).any(axis=1)], progress=False)
    assert study.effect("x0", progress=False)._computed_from == "trees"
    assert study.boundary(0, progress=False, random_state=0).distance_lower > 0


def test_the_file_is_gone_at_once():
    model, *_ = kept_model("values")
    read_trees(model, "predict")
    (path,) = model.paths
    assert not path.exists()
    assert not path.parent.exists()


def test_chosen_responses():
    model, rows, answers = kept_model("three-classes")
    read = read_trees(model, "predict_proba", (2, 0))
    np.testing.assert_allclose(computed_of(read, rows), answers.T[[2, 0]], rtol=1e-12)


def test_another_border_is_found_out():
    model, rows, answers = kept_model("values")
    for tree in model.stored["oblivious_trees"]:
        for split in tree["splits"]:
            split["border"] += 1e-3
    with pytest.raises(UnreadableModel, match="not those of the trees"):
        check_trees(read_trees(model, "predict"), rows, answers[None])


def test_what_is_no_sum_of_leaves_is_refused():
    levels, *_ = kept_model("levels")
    with pytest.raises(UnreadableModel, match="levels, text or embeddings"):
        read_trees(levels, "predict")
    model, *_ = kept_model("two-classes")
    with pytest.raises(UnreadableModel, match="a class label is no sum"):
        read_trees(model, "predict")
    model.stored["model_info"]["params"]["loss_function"]["type"] = "MultiClassOneVsAll"
    with pytest.raises(UnreadableModel, match="MultiClassOneVsAll"):
        read_trees(model, "predict_proba")
    model, *_ = kept_model("values")
    model.stored["oblivious_trees"][0]["splits"][0]["split_type"] = "OneHotFeature"
    with pytest.raises(UnreadableModel, match="splits on levels"):
        read_trees(model, "predict")
