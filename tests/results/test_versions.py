import lightgbm
import numpy as np
import pandas as pd
import sklearn
from lightgbm import LGBMClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts
from tauscope.results.versions import package_versions
from tauscope.sharing.record.record import record_of


def test_versions_of_a_study_are_those_of_its_model_too():
    X, y = pd.DataFrame({"a": np.arange(60.0), "b": np.arange(60.0) % 7}), np.arange(60) % 2
    boosting = LGBMClassifier(n_estimators=2, verbose=-1)
    pipeline = make_pipeline(StandardScaler(), boosting)
    for model in (boosting, pipeline, GridSearchCV(pipeline, {}, cv=2)):
        study = ts.Study(model.fit(X, y), X, y, progress=False)
        assert package_versions(study) == package_versions() | {"lightgbm": lightgbm.__version__}
        assert record_of(study.reweight(ts.Mean("a", tau=0.1)))["packages"]["lightgbm"] == lightgbm.__version__
    assert package_versions(ts.Study(boosting.predict, X, y, progress=False)) == package_versions()
    assert package_versions(ts.Study.from_predictions(X, y, y)) == package_versions()


def test_versions_are_those_in_use():
    assert package_versions() == {
        "tauscope": ts.__version__,
        "numpy": np.__version__,
        "pandas": pd.__version__,
        "scikit-learn": sklearn.__version__,
    }
