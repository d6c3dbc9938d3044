"""Tests of ``dlbricks.whatif``."""
