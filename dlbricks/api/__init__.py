"""The Python API: the commands as functions, a module for each subject; ``import dlbricks`` exports the public ones.

Heavy libraries are imported when a function needs them.
"""
