"""A model called in batches: rows, their copies with some columns replaced; where long work looks whether to stop."""
