"""Tests of ``dlbricks.model``."""
