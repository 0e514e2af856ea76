"""One column: its sketch, and the tilt that meets a mean of it."""
