"""Results of the rules engine."""
