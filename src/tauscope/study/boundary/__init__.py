"""Verbs of the boundary engine."""
