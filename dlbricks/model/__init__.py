"""Reads, lowers and writes networks."""
