"""The commands of the program: each parses its options, calls one function of the library, and prints the result."""

from dlbricks.cli.app import main

__all__ = ["main"]
