"""Tracing and times of GPU queues. Optional: without this folder a suite measures latencies and refuses ``--trace``."""
