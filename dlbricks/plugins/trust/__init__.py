"""Signatures of results and statements, and challenges: a system makes calls that cannot be computed in advance."""
