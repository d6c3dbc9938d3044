"""Tests of ``dlbricks.analysis``."""
