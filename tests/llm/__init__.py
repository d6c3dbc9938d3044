"""Tests of ``dlbricks.llm``."""
