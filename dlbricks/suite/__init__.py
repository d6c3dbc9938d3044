"""Generates, writes and reads suites: folders or archives of benchmarks with the harness that runs them."""
