"""The one error of the harness: a line for the user and the exit code that goes with it."""

import re

BAD_INPUT = 2
"""A file, an option or a value that was given cannot be used."""
MISSING = 3
"""Something needed is not installed, or not in this build of the runtime."""
BENCHMARK_FAILED = 4
"""A benchmark failed to load, to run, or gave a wrong answer."""
INTERRUPTED = 130
"""Stopped by the user; what was measured is kept."""

_OLDEST_RUNTIME = [1, 21]
"""Of onnxruntime: earlier ones do not find weights beside a network that is given as bytes."""


class HarnessError(Exception):
    """A run cannot begin or go on; the message is one line: what, where, what to do."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        """Keep the line and the code."""
        super().__init__(message)
        self.exit_code = exit_code


def require_packages() -> None:
    """Check that numpy and onnxruntime are installed, and that onnxruntime can read weights beside a network.

    Raises:
        HarnessError: one of them is missing or too old.
    """
    for package in ("numpy", "onnxruntime"):
        try:
            __import__(package)
        except ImportError as error:
            raise HarnessError(f"{package} cannot be imported ({error}): pip install {package}", MISSING) from error
    import onnxruntime

    if not hasattr(onnxruntime, "InferenceSession"):
        remedy = "pip uninstall onnxruntime onnxruntime-gpu, then install one of them"
        message = f"onnxruntime is incomplete, as where one of two packages that share its folder was removed: {remedy}"
        raise HarnessError(message, MISSING)
    version = str(onnxruntime.__version__)
    if [int(part) for part in re.findall(r"\d+", version)[:2]] < _OLDEST_RUNTIME:
        oldest = ".".join(str(part) for part in _OLDEST_RUNTIME)
        message = f"onnxruntime {version} is too old, {oldest} or newer is needed: pip install --upgrade onnxruntime"
        raise HarnessError(message, MISSING)
