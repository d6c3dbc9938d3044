"""Split ONNX networks into unique layer sequences, measure the pieces, rebuild the latency of the whole.

The way of the data is the import order; a module imports only from what stands to its left::

    errors limits units fingerprint files typed_json signing | harness | model | sequences | suite | trace | profile
        | store | challenge | construct | leakage | validate | repro | whatif | analysis | estimating | api | report
        | cli

``harness`` stands alone: it is copied into every suite, imports nothing else of dlbricks, and may be imported by all.
``tests/test_layering.py`` holds the package to this line. ``api`` holds the functions that are offered here.
"""

from typing import TYPE_CHECKING, Any

from dlbricks import harness as harness  # before anything imports onnxruntime: it tells it to send nothing

if TYPE_CHECKING:
    from dlbricks.api import estimate, export_torch, generate, read, run, split, submit, what_if
    from dlbricks.estimating import SystemQuery

__version__ = "0.1.0"
__all__ = [
    "SystemQuery",
    "__version__",
    "estimate",
    "export_torch",
    "generate",
    "read",
    "run",
    "split",
    "submit",
    "what_if",
]


def __getattr__(name: str) -> Any:
    """Import the API when it is first used: the command line starts without it."""
    if name not in __all__:
        raise AttributeError(f"module 'dlbricks' has no attribute '{name}'")
    from dlbricks import api

    return getattr(api, name)
