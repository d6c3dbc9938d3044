"""The runtimes: one module each, with the functions of ``session.Backend``. A suite may have some of them only."""

from pathlib import Path

# Of runs that name no runtime; every suite has its module.
USUAL = "onnxruntime"
_PRESENT = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")}
# Names of the runtimes, which are those of their modules.
RUNTIMES = (USUAL, *sorted(_PRESENT - {USUAL}))
