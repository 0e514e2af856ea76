"""The sketch of a study's rows, to save, to add and to ask for curves; and its file."""
