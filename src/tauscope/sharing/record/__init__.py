"""Results as JSON that is read again: the same class, the same fields, checked against the data they are of."""
