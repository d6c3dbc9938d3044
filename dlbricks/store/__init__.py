"""Checks submissions by rules, and keeps them in a store, which is a database."""
