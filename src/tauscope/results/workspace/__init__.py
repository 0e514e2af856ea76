"""Results of the workspace."""
