"""Tests of dlbricks.whatif.inference."""
