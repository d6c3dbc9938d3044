"""Tests of ``dlbricks.construct``."""
