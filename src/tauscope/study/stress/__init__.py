"""Verbs of the stress engine."""
