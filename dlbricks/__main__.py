"""``python -m dlbricks`` is the command ``dlbricks``."""

from dlbricks.cli.app import main

if __name__ == "__main__":
    main()
