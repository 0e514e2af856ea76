"""Models that CatBoost wrote down, with its own answers, and estimators that hold them; CatBoost is not installed."""

import json
from pathlib import Path

import numpy as np

WRITTEN = Path(__file__).parent / "catboost"


class CatBoost:
    """A model that answers from its file by CatBoost's own rule, and writes the file down when it is told to."""

    def __init__(self, name):
        self.kept = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))
        self.stored = self.kept["model"]
        self.classes_ = np.array(self.kept["classes"])
        self.n_features_in_ = sum(len(columns) for columns in self.stored["features_info"].values())
        self.paths = []

    def __copy__(self):
        """As CatBoost's, and what it reads from a file or a pickle: the number of columns is lost."""
        own = type(self).__new__(type(self))
        own.__dict__ |= self.__dict__ | {"n_features_in_": 0}
        return own

    def save_model(self, path, format):
        assert format == "json"
        self.paths.append(Path(path))
        Path(path).write_text(json.dumps(self.stored), encoding="utf-8")

    def sums(self, rows):
        scale, offset = self.stored["scale_and_bias"]
        return scale * np.array([self._sum(row) for row in np.asarray(rows, dtype=np.float32)]) + offset

    def _sum(self, row):
        if "oblivious_trees" not in self.stored:
            return sum(self._descend(tree, row) for tree in self.stored["trees"])
        total = 0
        for tree in self.stored["oblivious_trees"]:
            number = sum(self._is_above(split, row) << bit for bit, split in enumerate(tree["splits"]))
            values = np.reshape(tree["leaf_values"], (2 ** len(tree["splits"]), -1))
            total = total + values[number]
        return total

    def _descend(self, node, row):
        while "split" in node:
            node = node["right"] if self._is_above(node["split"], row) else node["left"]
        return np.ravel(node["value"])

    def _is_above(self, split, row):
        column = self.stored["features_info"]["float_features"][split["float_feature_index"]]
        value = row[column["flat_feature_index"]]
        if np.isnan(value):
            return column["nan_value_treatment"] == "AsTrue"
        return bool(value > np.float32(split["border"]))


class CatBoostClassifier(CatBoost):
    def predict_proba(self, rows):
        sums = self.sums(rows)
        if sums.shape[1] == 1:
            sums = np.concatenate([np.zeros_like(sums), sums], axis=1)
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def predict(self, rows):
        return self.classes_[self.predict_proba(rows).argmax(axis=1)]


class CatBoostRegressor(CatBoost):
    def predict(self, rows):
        sums = self.sums(rows)[:, 0]
        poisson = self.stored["model_info"]["params"]["loss_function"]["type"] == "Poisson"
        return np.exp(sums) if poisson else sums


CatBoost.__module__ = CatBoostClassifier.__module__ = CatBoostRegressor.__module__ = "catboost.core"


def kept_model(name):
    """The model, the rows that CatBoost was asked about, and what it answered."""
    kept = json.loads((WRITTEN / f"{name}.json").read_text(encoding="utf-8"))
    model = (CatBoostClassifier if kept["classes"] else CatBoostRegressor)(name)
    return model, np.array(kept["rows"], dtype=float), np.array(kept["answers"])
