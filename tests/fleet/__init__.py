"""Tests of the examples of docs/examples/fleet."""
