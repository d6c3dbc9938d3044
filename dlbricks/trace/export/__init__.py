"""Traces for other people's viewers: Chrome and Perfetto JSON, OTLP JSON lines, Perfetto's own protobuf."""
