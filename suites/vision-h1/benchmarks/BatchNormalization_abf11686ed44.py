"""BatchNormalization alone: `python BatchNormalization_abf11686ed44.py [--threads N] [--json]`.

Benchmark abf11686ed44ae440022955d7fb04da6a6b8a6131b466985f8fdd924f254fefe,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('abf11686ed44ae440022955d7fb04da6a6b8a6131b466985f8fdd924f254fefe', SUITE, sys.argv[1:]))
