"""Tests of ``dlbricks.plugins.training``."""
