"""Tracing, which can be left out: a suite without this folder measures as before and refuses ``--trace``."""
