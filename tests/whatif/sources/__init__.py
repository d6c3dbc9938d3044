"""Tests of dlbricks.whatif.sources."""
