"""What engines share about row weights: checks, seeds, effective size, distances, Pareto k̂."""
