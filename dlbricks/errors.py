"""The errors that are reported to the user, each with its exit code.

A message is one line that names the problem, its place and a remedy; ``cli`` catches ``DlbricksError``.
"""


class DlbricksError(Exception):
    """Base class of all errors that are reported in one line; ``exit_code`` is the exit status of the process."""

    exit_code = 2


class InputError(DlbricksError):
    """A file, an option or a value given by the user cannot be used."""


class UnsupportedModelError(InputError):
    """The network is valid, but dlbricks or the runtime does not support something in it; the message says what."""


class CheckError(DlbricksError):
    """A check failed: coverage is missing, a rule of severity error is violated, or a requested limit is exceeded."""

    exit_code = 1


class MissingDependencyError(DlbricksError):
    """An optional dependency is not installed; the message names the extra that installs it."""

    exit_code = 3


class BenchmarkError(DlbricksError):
    """A benchmark failed to load or to run, or its outputs are wrong."""

    exit_code = 4


def missing_extra(what: str, extra: str) -> MissingDependencyError:
    """Return the error for a missing optional dependency, with the command that installs it.

    ``what`` starts the message, as in ``a report needs plotly``; ``extra`` are dependencies of ``pyproject.toml``.
    """
    return MissingDependencyError(f"{what}: {install_hint(extra)}")


def install_hint(extra: str) -> str:
    """Return the commands that install optional dependencies, from the registry and in a clone."""
    return f"pip install 'dlbricks[{extra}]' (in a clone: pip install -e '.[{extra}]')"
