"""Runs the command line by ``python -m dlbricks``."""

from dlbricks.cli.app import main

if __name__ == "__main__":
    main()
