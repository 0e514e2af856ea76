"""Tables of results of stress."""
