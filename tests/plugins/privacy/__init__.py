"""Tests of ``dlbricks.plugins.privacy``."""
