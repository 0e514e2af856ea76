"""Verbs of the effects engine."""
