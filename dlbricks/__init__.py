"""Split ONNX networks into unique layer sequences, benchmark these, and compose the latency of the whole network.

Packages are layered in the order in which data flows; a module imports only from packages to its left::

    version errors extensions limits units statistics files typed_json | harness | settings | model | operators
        | passes (in model) | process_pool | sequences | suite | trace | profile | store | construct
        | validate | whatif | analysis | api | report | cli | plugins

``harness`` is copied into every suite: it imports nothing else of dlbricks, and every package may import it.
``tests/test_layering.py`` checks this order. ``api`` defines the public functions that this package exports.
"""

from typing import TYPE_CHECKING, Any

from dlbricks import harness as harness  # imported before onnxruntime, since it disables onnxruntime's telemetry
from dlbricks.version import __version__ as __version__

if TYPE_CHECKING:
    from dlbricks.api.estimates import estimate
    from dlbricks.api.networks import export_torch, read, split
    from dlbricks.api.suites import generate, run, submit
    from dlbricks.api.whatif import what_if
    from dlbricks.settings import SystemQuery

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
    """Import a public name on first use; see ``api``."""
    from dlbricks.api import __getattr__ as public_name

    return public_name(name)
