"""Widgets of the boundary engine."""
