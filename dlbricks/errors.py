"""The errors that dlbricks reports to the user, each with its exit code.

A message is one line that names the problem, its place and a remedy. ``cli`` catches ``DlbricksError`` and prints it.
"""

from pathlib import Path


class DlbricksError(Exception):
    """An error with a message of one line, and an exit code."""

    exit_code = 2


class InputError(DlbricksError):
    """A file, an option or a value of the user is invalid."""


class UnsupportedModelError(InputError):
    """A valid network has a part that dlbricks or the runtime does not support."""


class CheckError(DlbricksError):
    """A check failed: low coverage, a violated rule of severity ``error``, or an exceeded limit."""

    exit_code = 1


class MissingDependencyError(DlbricksError):
    """An optional dependency is missing; the message has the command that installs it."""

    exit_code = 3


class BenchmarkError(DlbricksError):
    """A benchmark did not load or run, or had wrong outputs."""

    exit_code = 4


def named_out(out: Path | None, what: str) -> Path:
    """Return the path of -o, or raise ``InputError``; to be called after the input is read, whose faults come first."""
    if out is None:
        raise InputError(f"-o is missing: name {what}")
    return out


def missing_extra(what: str, extra: str) -> MissingDependencyError:
    """Return the error for a missing optional dependency.

    ``what`` starts the message, as in ``a report needs plotly``; ``extra`` is a name in ``pyproject.toml``.
    """
    return MissingDependencyError(f"{what}: {install_hint(extra)}")


def install_hint(extra: str) -> str:
    """Return the pip commands that install an extra: from PyPI, and in a clone."""
    return f"pip install 'dlbricks[{extra}]' (in a clone: pip install -e '.[{extra}]')"
