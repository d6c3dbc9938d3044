"""Splitting into layer sequences, their canonical form and fingerprint."""
