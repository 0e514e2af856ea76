import numpy as np
import pandas as pd
import sklearn

import tauscope as ts
from tauscope.results.versions import package_versions


def test_versions_are_those_in_use():
    assert package_versions() == {
        "tauscope": ts.__version__,
        "numpy": np.__version__,
        "pandas": pd.__version__,
        "scikit-learn": sklearn.__version__,
    }
