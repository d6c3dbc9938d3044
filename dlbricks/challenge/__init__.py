"""Challenges: a system makes a chain of calls that cannot be precomputed, and the collector repeats some of them."""
