"""Lowers networks to the graphs that runtimes execute on this machine, and lists runtimes' kernels."""
