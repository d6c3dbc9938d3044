"""The runtimes: one module each, with the functions of ``session.Backend``. A suite has those that it may run on.

In dlbricks itself the runtimes besides onnxruntime are plug-ins (entry points ``dlbricks.runtimes``).
"""

from pathlib import Path

# Of runs that name no runtime; every suite has its module.
USUAL = "onnxruntime"
# Name of each runtime's module.
MODULES = {path.stem: f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*.py")}
if __name__ != "harness.runtimes":
    from importlib.metadata import entry_points

    MODULES |= {point.name: point.value for point in entry_points(group="dlbricks.runtimes")}
RUNTIMES = (USUAL, *sorted(MODULES.keys() - {USUAL}))
