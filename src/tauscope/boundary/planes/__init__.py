"""The plane through a point of the boundary: samples, fits, and how far it can be trusted."""
