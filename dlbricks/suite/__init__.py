"""Generates, writes and reads suites: folders or archives of benchmarks and the harness."""
