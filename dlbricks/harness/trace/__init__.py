"""Traces benchmarks and times GPU queues. A suite without this folder refuses ``--trace``."""
