"""Why widgets do not show: what is installed, where Jupyter looks, and what follows from both."""
