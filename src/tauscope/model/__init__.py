"""The model a person brings: how it is called, what its answers mean, and which of them are kept."""
