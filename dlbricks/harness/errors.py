"""The exception of the harness, with a message of one line and an exit code; the check for required packages."""

import re

# Exit code: a file, an option or a value cannot be used.
BAD_INPUT = 2
# Exit code: something needed is not installed, or not in this build of the runtime.
MISSING = 3
# Exit code: a benchmark failed to load or to run, or gave a wrong answer.
BENCHMARK_FAILED = 4
# Exit code: stopped by the user; what was measured is kept.
INTERRUPTED = 130

# Oldest onnxruntime: earlier ones do not find external weights of a network that is given as bytes.
_OLDEST_RUNTIME = [1, 21]


class HarnessError(Exception):
    """A run cannot begin or go on. The message is one line: what is wrong, where, and what to do."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        """Store the message and the exit code."""
        super().__init__(message)
        self.exit_code = exit_code


def require_packages() -> None:
    """Raise HarnessError if numpy or onnxruntime is missing, or onnxruntime is too old."""
    for package in ("numpy", "onnxruntime"):
        try:
            __import__(package)
        except ImportError as error:
            raise HarnessError(f"{package} cannot be imported ({error}): pip install {package}", MISSING) from error
    import onnxruntime

    if not hasattr(onnxruntime, "InferenceSession"):
        remedy = "pip uninstall onnxruntime onnxruntime-gpu, then install one of them"
        message = f"onnxruntime is incomplete; uninstalling one of two packages in its folder does that: {remedy}"
        raise HarnessError(message, MISSING)
    version = str(onnxruntime.__version__)
    if [int(part) for part in re.findall(r"\d+", version)[:2]] < _OLDEST_RUNTIME:
        oldest = ".".join(str(part) for part in _OLDEST_RUNTIME)
        message = f"onnxruntime {version} is too old, {oldest} or newer is needed: pip install --upgrade onnxruntime"
        raise HarnessError(message, MISSING)
