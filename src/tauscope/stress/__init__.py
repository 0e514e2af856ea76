"""Engine: what happens to a model's decisions and errors when the population shifts. Arrays in, arrays out."""
