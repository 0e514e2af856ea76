"""Charts of rules."""
