"""The exception of the harness, its exit codes, and the import of required packages."""

import importlib
from types import ModuleType

# Exit code for a file, an option or a value that cannot be used.
BAD_INPUT = 2
# Exit code for a missing package or driver, or a provider that this build of the runtime lacks.
MISSING = 3
# Exit code for a benchmark that did not load or run, or had wrong outputs.
BENCHMARK_FAILED = 4
# Exit code for a run that the user stopped; its measurements are saved.
INTERRUPTED = 130


class HarnessError(Exception):
    """An error that stops a run. The message is one line: what is wrong, where, and what to do."""

    def __init__(self, message: str, exit_code: int = BAD_INPUT) -> None:
        """Store the message and the exit code."""
        super().__init__(message)
        self.exit_code = exit_code


def required(module: str, package: str = "") -> ModuleType:
    """Import and return a module; on failure, raise a ``HarnessError`` that names the package to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = package or module
        raise HarnessError(f"{package} cannot be imported ({error}): pip install {package}", MISSING) from error
