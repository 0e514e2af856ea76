"""Results of the boundary engine."""
