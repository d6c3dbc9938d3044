"""Lowers networks to the graphs that runtimes execute on this machine, and asks runtimes for their kernels."""
