"""Tests of dlbricks.suite and of what it emits."""
