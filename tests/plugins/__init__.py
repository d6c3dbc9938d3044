"""Tests of ``dlbricks.plugins``."""
