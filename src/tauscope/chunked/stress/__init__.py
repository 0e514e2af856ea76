"""Stresses of rows beyond memory."""
