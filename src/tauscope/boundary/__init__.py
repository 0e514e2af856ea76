"""The boundary of a decision: the smallest change that flips it, and the direction that carries it."""
