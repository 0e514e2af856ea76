"""What an analysis hands back: frozen numbers with their names, units and trust; drawing lives elsewhere."""
