"""Results of the stress engine."""
