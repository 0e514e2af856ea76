"""The reweighting that harms a metric most: over all rows within a distance, or among tilts of some means."""
