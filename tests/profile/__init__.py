"""Tests of ``dlbricks.profile``."""
