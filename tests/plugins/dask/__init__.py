"""Tests of ``dlbricks.plugins.repro``."""
