"""Charts and pictures of the stress engine."""
