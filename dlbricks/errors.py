"""The errors that dlbricks reports to the user, each with its exit code.

A message is one line that names the problem, its place and a remedy. ``cli`` catches ``DlbricksError`` and prints it.
"""


class DlbricksError(Exception):
    """Base class of all errors that dlbricks reports to the user in one line; ``exit_code`` is the exit status."""

    exit_code = 2


class InputError(DlbricksError):
    """An error in a file, an option or a value that the user passed."""


class UnsupportedModelError(InputError):
    """An error for a valid network that dlbricks or the runtime does not support; the message names the part."""


class CheckError(DlbricksError):
    """An error for a failed check: too low coverage, a violated rule of severity ``error``, or an exceeded limit."""

    exit_code = 1


class MissingDependencyError(DlbricksError):
    """An error for a missing optional dependency; the message has the command that installs it."""

    exit_code = 3


class BenchmarkError(DlbricksError):
    """An error for a benchmark that did not load or run, or had wrong outputs."""

    exit_code = 4


def missing_extra(what: str, extra: str) -> MissingDependencyError:
    """Return the error for a missing optional dependency, with the command that installs it.

    ``what`` starts the message, as in ``a report needs plotly``; ``extra`` is a name in ``pyproject.toml``.
    """
    return MissingDependencyError(f"{what}: {install_hint(extra)}")


def install_hint(extra: str) -> str:
    """Return the pip commands that install an extra (optional dependencies): from PyPI, and in a clone."""
    return f"pip install 'dlbricks[{extra}]' (in a clone: pip install -e '.[{extra}]')"
