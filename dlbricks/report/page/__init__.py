"""Profiles as one HTML page: charts, timeline and tables."""
