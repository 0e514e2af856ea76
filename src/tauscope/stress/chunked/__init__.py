"""Sums over rows that come in chunks, and what is told from them when the rows are gone."""
