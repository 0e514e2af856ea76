"""Sufficient explanations from projected forests: which features of a row are enough for its decision [CSE].

`ProjectedForest` reads a fitted forest and its training rows; `SameDecision` says what counts as the same decision,
with `squared_tolerance` for how far values may differ; `find_sufficient` searches the smallest subsets of a row's
features under which the same decision is probable enough; `fit_forest` fits a forest where there is none.

[CSE] Amoukou, Brunel, "Consistent sufficient explanations and minimal local rules for explaining the decision of any
classifier or regressor", 2022.
"""
