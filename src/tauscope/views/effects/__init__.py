"""Widgets of the effects engine."""
