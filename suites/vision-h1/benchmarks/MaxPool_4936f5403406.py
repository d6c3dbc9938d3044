"""MaxPool alone: `python MaxPool_4936f5403406.py [--threads N] [--json]`.

Benchmark 4936f540340688756e471574d9b6e6a01d22cdcdc16e56c1ab13e4736bf5ed3a,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4936f540340688756e471574d9b6e6a01d22cdcdc16e56c1ab13e4736bf5ed3a', SUITE, sys.argv[1:]))
