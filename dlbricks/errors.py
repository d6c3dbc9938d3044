"""Every error a user can meet, each with its exit code.

Imports nothing. One line of message says what is wrong, where, and what to do; ``cli`` catches the root once.
"""


class DlbricksError(Exception):
    """Root of all errors that are reported in one line; ``exit_code`` is the process's answer."""

    exit_code = 2


class InputError(DlbricksError):
    """A file, an option or a value the user gave cannot be used."""


class UnsupportedModelError(InputError):
    """The network is sound, yet holds something that dlbricks or the runtime cannot handle; the reason is named."""


class CheckError(DlbricksError):
    """A check or a gate failed: missing coverage, a rule with severity error, a difference that was asked to fail."""

    exit_code = 1


class MissingDependencyError(DlbricksError):
    """Something optional is needed and not installed; the message names the extra that brings it."""

    exit_code = 3


class BenchmarkError(DlbricksError):
    """A benchmark failed to load, to run, or gave a wrong answer."""

    exit_code = 4


def missing_extra(what: str, extra: str) -> MissingDependencyError:
    """Say which optional part of dlbricks is missing, and how to install it.

    Args:
        what: needs it, as in ``a report needs plotly``.
        extra: name of the optional dependencies in ``pyproject.toml``.
    """
    return MissingDependencyError(f"{what}: {install_hint(extra)}")


def install_hint(extra: str) -> str:
    """Give the command that installs optional dependencies, in a clone or elsewhere."""
    return f"pip install 'dlbricks[{extra}]' (in a clone: pip install -e '.[{extra}]')"
