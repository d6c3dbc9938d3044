"""Tests of ``dlbricks.plugins.site``."""
