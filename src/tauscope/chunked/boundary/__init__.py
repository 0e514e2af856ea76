"""Boundaries of rows beyond memory."""
