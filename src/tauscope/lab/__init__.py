"""What the panel in JupyterLab asks of a kernel."""
