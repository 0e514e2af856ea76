import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_selection import SelectKBest, VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)

from tauscope.pipelines.affine import chained
from tauscope.trees.tree_model import UnreadableModel

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(60, 4)) * [1, 20, 0.1, 5] + [3, -50, 1, 0]
Y = (X[:, 0] > 3).astype(int)

STEPS = [
    StandardScaler(),
    StandardScaler(with_mean=False),
    StandardScaler(with_std=False),
    RobustScaler(),
    RobustScaler(with_centering=False),
    MinMaxScaler((-1, 3)),
    MaxAbsScaler(),
    PCA(3),
    PCA(2, whiten=True),
    TruncatedSVD(2, random_state=0),
    SimpleImputer(),
    SelectKBest(k=2),
    VarianceThreshold(0.1),
    FunctionTransformer(),
    make_pipeline(StandardScaler(), "passthrough", PCA(3), MinMaxScaler()),
    ColumnTransformer([("a", StandardScaler(), [2, 0]), ("b", "passthrough", slice(3, 4)), ("c", "drop", [1])]),
    ColumnTransformer([("a", make_pipeline(SimpleImputer(), MaxAbsScaler()), [1])], remainder="passthrough"),
]


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_matrix_and_offset_are_what_the_step_does(step):
    wanted = step.fit(X, Y).transform(X)
    read = chained([step], 4)
    np.testing.assert_allclose(X @ read.matrix.T + read.offset, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(read.transform(X), wanted, rtol=1e-12, atol=1e-12)


def test_names_of_columns_are_found_and_not_asked_for():
    frame = pd.DataFrame(X, columns=list("abcd"))
    step = ColumnTransformer([("s", StandardScaler(), ["d", "a"])], remainder=RobustScaler())
    step.set_output(transform="pandas")
    wanted = step.fit(frame).transform(frame)
    read = chained([step], 4)
    np.testing.assert_allclose(read.transform(X), wanted, rtol=1e-12)
    np.testing.assert_allclose(X @ read.matrix.T + read.offset, wanted, rtol=1e-9, atol=1e-9)


def test_what_fills_a_missing_value_is_seen():
    gapped = X.copy()
    gapped[::3, 1] = np.nan
    steps = make_pipeline(SimpleImputer(strategy="median"), StandardScaler()).fit(gapped)
    np.testing.assert_array_equal(chained([steps], 4).transform(gapped), steps.transform(gapped))


@pytest.mark.parametrize(
    "step", [Normalizer(), PowerTransformer(), MinMaxScaler(clip=True), FunctionTransformer(np.exp)], ids=str
)
def test_what_is_not_affine_is_refused(step):
    with pytest.raises(UnreadableModel, match="affine"):
        chained([step.fit(np.abs(X))], 4)
