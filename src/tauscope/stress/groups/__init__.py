"""Curves of groups of rows."""
