"""Two columns together, over the grid of both means."""
