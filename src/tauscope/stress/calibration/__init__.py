"""Calibration of scores, and the fits that recalibrate them."""
