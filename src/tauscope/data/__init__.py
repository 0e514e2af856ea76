"""What a person brings: frames, columns, labels, and the features that can be moved."""
