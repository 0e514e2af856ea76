"""What the examples of the reference stand on: a classifier of tumours, a forest, and the rows they are judged on."""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import tauscope as ts

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean radius", "mean texture", "mean smoothness", "mean concavity"]]
X_train, y_train, X_test, y_test = X[::2], y[::2], X[1::2], y[1::2]
model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
forest = RandomForestClassifier(30, max_depth=5, random_state=0).fit(X_train, y_train)
study = ts.Study(model, X_test, y_test, progress=False)
forest_study = ts.Study(forest, X_test, y_test, progress=False)
