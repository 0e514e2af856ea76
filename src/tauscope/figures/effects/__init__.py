"""Charts and pictures of the effects engine."""
