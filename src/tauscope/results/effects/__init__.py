"""Results of the effects engine."""
