"""Exact partial dependence of tree ensembles by traversal; the names are listed one level up."""
