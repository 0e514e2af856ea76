"""Widgets of the stress engine."""
