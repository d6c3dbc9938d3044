"""Traces runs and times GPU queues. A suite without this folder still measures latencies, but refuses ``--trace``."""
