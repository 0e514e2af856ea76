"""Sketches: what passes over rows sum up for stress curves, column by column."""
