"""Tests of ``dlbricks.cli``."""
