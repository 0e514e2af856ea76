"""Rows wherever they are: in memory, in chunks, in partitions of Dask; engines see them through one interface."""
