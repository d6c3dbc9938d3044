"""The Python API, one module for each subject: functions for the commands; ``dlbricks`` exports the public ones.

Functions import heavy libraries when they need them.
"""
