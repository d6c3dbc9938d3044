"""Measures what a suite discloses of the networks it was made of, by attacks on it."""
