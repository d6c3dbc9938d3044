"""Tests of ``dlbricks.plugins.llm``."""
