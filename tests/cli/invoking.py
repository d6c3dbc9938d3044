"""What tests of the command line call."""

from collections.abc import Callable

from click.testing import Result

Run = Callable[..., Result]
"""Called with arguments, and with ``code=`` where an exit code other than 0 is expected."""
