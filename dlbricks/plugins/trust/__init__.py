"""Signatures of results and statements, and challenges, by which a system proves its latencies."""
