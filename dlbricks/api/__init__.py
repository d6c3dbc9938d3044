"""The Python API, with one module for each subject. Commands call its functions; ``dlbricks`` exports the public ones.

Functions import heavy libraries when they need them.
"""
