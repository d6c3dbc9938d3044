"""Checks submissions by rules, and stores them in a database."""
