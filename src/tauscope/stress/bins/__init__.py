"""Columns of rows that are read once: sums in bins and value by value, of which curves follow without the rows."""
