"""What leaves the notebook: pages that work without a kernel or a network, tables, pictures."""
