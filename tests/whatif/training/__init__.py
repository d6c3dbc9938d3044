"""Tests of dlbricks.whatif.training."""
