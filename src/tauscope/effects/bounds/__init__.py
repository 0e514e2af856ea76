"""What reweightings, changed rows and changed models can do to an effect; the names are listed one level up."""
