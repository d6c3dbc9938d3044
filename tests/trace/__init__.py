"""Tests of ``dlbricks.trace``."""
