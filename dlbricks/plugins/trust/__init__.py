"""Signatures of results and statements, and challenges: calls by which a system proves its latencies."""
