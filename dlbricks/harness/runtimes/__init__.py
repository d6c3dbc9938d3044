"""The runtimes; each is a module with the functions of ``session.Backend``. A suite contains the ones for its target.

In dlbricks itself, runtimes other than onnxruntime are plug-ins (entry points ``dlbricks.runtimes``).
"""

from pathlib import Path

# Default runtime of a run; every suite contains its module.
USUAL = "onnxruntime"
# Name of each runtime's module.
MODULES = {path.stem: f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*.py")}
if __name__ != "harness.runtimes":
    from importlib.metadata import entry_points

    MODULES |= {point.name: point.value for point in entry_points(group="dlbricks.runtimes")}
RUNTIMES = (USUAL, *sorted(MODULES.keys() - {USUAL}))
