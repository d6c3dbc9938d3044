"""Tests of ``dlbricks.sequences``."""
