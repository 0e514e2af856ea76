"""Pipelines of fitted estimators read as numbers: the affine steps before a model, and the model behind them."""
