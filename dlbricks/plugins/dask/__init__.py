"""Reads the networks of a suite on a Dask cluster."""
