"""Scenarios: stresses with a name, asked for, compared, saved and loaded."""
