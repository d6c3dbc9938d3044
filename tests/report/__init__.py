"""Tests of ``dlbricks.report``."""
