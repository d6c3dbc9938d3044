"""The one error of the harness: a line for the user and the exit code that goes with it."""

BAD_INPUT = 2
"""A file, an option or a value that was given cannot be used."""
MISSING = 3
"""Something needed is not installed, or not in this build of the runtime."""
BENCHMARK_FAILED = 4
"""A benchmark failed to load, to run, or gave a wrong answer."""
INTERRUPTED = 130
"""Stopped by the user; what was measured is kept."""


class HarnessError(Exception):
    """A run cannot begin or go on; the message is one line: what, where, what to do."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        """Keep the line and the code."""
        super().__init__(message)
        self.exit_code = exit_code
