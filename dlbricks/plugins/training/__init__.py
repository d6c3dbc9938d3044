"""Transforms of training for ``dlbricks whatif``, and readers of traces of training."""
