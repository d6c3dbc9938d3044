"""Tests of the table of operators and of what follows from it."""
