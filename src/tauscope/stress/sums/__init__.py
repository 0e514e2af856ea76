"""Sums over rows that come in chunks, and what is computed from them without the rows."""
