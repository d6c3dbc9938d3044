"""Tests of ``dlbricks.store``."""
