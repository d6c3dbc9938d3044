"""Tests of dlbricks.whatif.transforms."""
