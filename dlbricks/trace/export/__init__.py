"""Writes traces for viewers: Chrome and Perfetto JSON, OTLP JSON lines, Perfetto protobuf."""
