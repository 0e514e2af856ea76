"""Verbs of the rules engine."""
