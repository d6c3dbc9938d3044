"""Slice alone: `python Slice_d9fa1c9ba3d9.py [--threads N] [--json]`.

Benchmark d9fa1c9ba3d9fdbaeb3239ea72b411841cba362918f58eaaf003f842f8eeebe9,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d9fa1c9ba3d9fdbaeb3239ea72b411841cba362918f58eaaf003f842f8eeebe9', SUITE, sys.argv[1:]))
