"""Constraints on several moments at once: the projection that meets them, or the proof that none does."""
