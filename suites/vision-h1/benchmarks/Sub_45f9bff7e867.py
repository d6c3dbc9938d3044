"""Sub alone: `python Sub_45f9bff7e867.py [--threads N] [--json]`.

Benchmark 45f9bff7e867d317b9169f765df8c5ca7cc57898b9446dd5f66f2291b1016944,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('45f9bff7e867d317b9169f765df8c5ca7cc57898b9446dd5f66f2291b1016944', SUITE, sys.argv[1:]))
