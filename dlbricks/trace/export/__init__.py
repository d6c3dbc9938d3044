"""Writes traces for viewers: Chrome JSON, which Perfetto's page opens, and OTLP JSON lines."""
