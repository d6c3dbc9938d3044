"""Click commands: parse, one library call, print."""

from dlbricks.cli.app import main

__all__ = ["main"]
