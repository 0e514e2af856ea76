"""Another population: what a sample or a table of margins says of it, and the rows weighted to it."""
