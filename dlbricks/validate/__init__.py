"""Measures networks by parts and end to end in one run, and computes the errors of their estimates."""
