"""Transforms of training on one and several GPUs, for ``dlbricks whatif``."""
