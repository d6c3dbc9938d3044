"""Composition rules: from stored results to the latency of a network, with an interval."""
