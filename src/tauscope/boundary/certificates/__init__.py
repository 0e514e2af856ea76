"""Lower bounds of the distance to the decision boundary: below them no change flips the decision."""
