"""The Python API: the commands as functions, a module for each subject; ``import dlbricks`` exports the public ones.

    suite = dlbricks.generate(["net.onnx"], "suite")
    dlbricks.run("suite", "result.json", name="my-machine")
    dlbricks.submit("result.json", suite="suite")
    dlbricks.estimate(dlbricks.split(dlbricks.read("net.onnx")), system="my-machine").total_ns

Errors are ``DlbricksError`` or ``HarnessError``; their message is one line that names the problem, its place and a
remedy. Heavy libraries are imported when a function needs them.
"""

from importlib import import_module
from typing import Any

PUBLIC = {
    "SystemQuery": "settings",
    "estimate": "api.estimates",
    "export_torch": "api.networks",
    "generate": "api.suites",
    "read": "api.networks",
    "run": "api.suites",
    "split": "api.networks",
    "submit": "api.suites",
    "what_if": "api.whatif",
}
"""The public names, each with its module below ``dlbricks``."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use (PEP 562), so that the command line starts quickly."""
    if name not in PUBLIC:
        raise AttributeError(f"module 'dlbricks' has no attribute '{name}'")
    return getattr(import_module(f"dlbricks.{PUBLIC[name]}"), name)
