"""Rows beyond memory: chunks, files and Dask partitions, read in passes that add up."""
