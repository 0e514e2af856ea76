"""The door: the only place that knows data frames and the user's models, and checks what comes in."""
