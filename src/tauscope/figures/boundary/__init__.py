"""Charts of the boundary engine."""
