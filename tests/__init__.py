"""Tests of dlbricks; each folder mirrors a part of the package."""
