"""A model called in batches: rows, their copies with some columns replaced, a way to stop."""
