"""Tree ensembles as arrays, read from the estimators that grew them."""
