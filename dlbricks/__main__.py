"""Runs the command line: ``python -m dlbricks`` does the same as ``dlbricks``."""

from dlbricks.cli.app import main

if __name__ == "__main__":
    main()
