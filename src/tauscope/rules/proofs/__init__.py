"""Proofs that a rule holds for every row in its box."""
