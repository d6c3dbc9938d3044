"""Splits networks into layer sequences, and computes canonical forms and fingerprints."""
