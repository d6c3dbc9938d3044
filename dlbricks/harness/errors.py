"""The exception of the harness, its exit codes, and the check for required packages."""

import re

# Exit code for a file, an option or a value that cannot be used.
BAD_INPUT = 2
# Exit code for a missing package or driver, or a provider that this build of the runtime lacks.
MISSING = 3
# Exit code for a benchmark that did not load or run, or had wrong outputs.
BENCHMARK_FAILED = 4
# Exit code for a run that the user stopped; its measurements are saved.
INTERRUPTED = 130

# Oldest usable onnxruntime: earlier ones do not find the external weights of a network in memory.
_OLDEST_RUNTIME = [1, 21]


class HarnessError(Exception):
    """An error that stops a run. The message is one line: what is wrong, where, and what to do."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        """Store the message and the exit code."""
        super().__init__(message)
        self.exit_code = exit_code


def require_packages() -> None:
    """Raise ``HarnessError`` if numpy or onnxruntime is missing, or onnxruntime is too old."""
    for package in ("numpy", "onnxruntime"):
        try:
            __import__(package)
        except ImportError as error:
            raise HarnessError(f"{package} cannot be imported ({error}): pip install {package}", MISSING) from error
    import onnxruntime

    if not hasattr(onnxruntime, "InferenceSession"):
        remedy = "pip uninstall onnxruntime onnxruntime-gpu, then install one of them"
        message = f"onnxruntime is incomplete, as after uninstalling one of two packages in its folder: {remedy}"
        raise HarnessError(message, MISSING)
    version = str(onnxruntime.__version__)
    if [int(part) for part in re.findall(r"\d+", version)[:2]] < _OLDEST_RUNTIME:
        oldest = ".".join(str(part) for part in _OLDEST_RUNTIME)
        message = f"onnxruntime {version} is too old, {oldest} or newer is needed: pip install --upgrade onnxruntime"
        raise HarnessError(message, MISSING)
