"""The workspace: the single views of a study side by side, under one stress."""
