"""curve alone: `python curve_724161067901.py [--threads N] [--json]`.

Benchmark 724161067901d64c18850f670f1c70919914fdad9439799ef13e3c5891997953,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.single import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('724161067901d64c18850f670f1c70919914fdad9439799ef13e3c5891997953', SUITE, sys.argv[1:]))
