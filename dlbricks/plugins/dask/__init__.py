"""Plug-in: suites whose networks are read on a Dask cluster."""
