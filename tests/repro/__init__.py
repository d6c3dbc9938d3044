"""Tests of ``dlbricks.repro``."""
