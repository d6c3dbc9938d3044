"""Composes the latency of a network, with an interval, from stored measurements of its sequences."""
