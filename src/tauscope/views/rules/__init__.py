"""Widgets of the rules engine."""
