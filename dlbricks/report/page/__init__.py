"""Profiles as one HTML page with charts, timeline and tables."""
