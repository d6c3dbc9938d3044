"""Split ONNX networks into unique layer sequences, benchmark these, and compose the latency of the whole network.

    suite = dlbricks.generate(["net.onnx"], "suite")
    dlbricks.run("suite", "result.json", dlbricks.RunOptions(name="my-machine"))
    dlbricks.submit("result.json", suite="suite")
    dlbricks.estimate(dlbricks.split(dlbricks.read("net.onnx")), system="my-machine").total_ns

Errors are ``DlbricksError`` or ``HarnessError``; their message is one line that names the problem, its place and a
remedy.

Packages are layered in the order in which data flows; a module imports only from packages to its left::

    version errors extensions limits units statistics files typed_json | harness | settings | model | operators
        | passes (in model) | process_pool | sequences | suite | trace | profile | store | construct
        | validate | whatif | analysis | api | report | cli | plugins

``harness`` is copied into every suite: it imports nothing else of dlbricks, and every package may import it. ``api``
defines the public functions.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dlbricks import harness as harness  # imported before onnxruntime, since it disables onnxruntime's telemetry
from dlbricks.version import __version__ as __version__

if TYPE_CHECKING:
    from dlbricks.api.estimates import estimate as estimate
    from dlbricks.api.networks import read as read
    from dlbricks.api.networks import split as split
    from dlbricks.api.profiles import analyse as analyse
    from dlbricks.api.profiles import profile_networks as profile_networks
    from dlbricks.api.results import submit as submit
    from dlbricks.api.suites import generate as generate
    from dlbricks.api.suites import run as run
    from dlbricks.api.whatif import what_if as what_if
    from dlbricks.harness.options import RunOptions as RunOptions
    from dlbricks.model.export import export_torch as export_torch
    from dlbricks.settings import ProfileOptions as ProfileOptions
    from dlbricks.settings import SplitSettings as SplitSettings
    from dlbricks.settings import SuiteOptions as SuiteOptions
    from dlbricks.settings import SystemQuery as SystemQuery

_MODULES = {
    **dict.fromkeys(("ProfileOptions", "SplitSettings", "SuiteOptions", "SystemQuery"), "settings"),
    **dict.fromkeys(("analyse", "profile_networks"), "api.profiles"),
    **dict.fromkeys(("read", "split"), "api.networks"),
    **dict.fromkeys(("generate", "run"), "api.suites"),
    "RunOptions": "harness.options",
    "estimate": "api.estimates",
    "export_torch": "model.export",
    "submit": "api.results",
    "what_if": "api.whatif",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562)."""
    if name not in _MODULES:
        raise AttributeError(f"module 'dlbricks' has no attribute '{name}'")
    return getattr(import_module(f"dlbricks.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    """Return the public names, sorted."""
    return sorted((*_MODULES, "__version__"))
