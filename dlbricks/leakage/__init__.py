"""Measures what a suite discloses about the networks that it was made from, by attacks on it."""
