"""BatchNormalization alone: `python BatchNormalization_284a43c23eab.py [--threads N] [--json]`.

Benchmark 284a43c23eab8be5c2fa21d3ba92cb220634c8a02b5cdd7722faf338701b1807,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('284a43c23eab8be5c2fa21d3ba92cb220634c8a02b5cdd7722faf338701b1807', SUITE, sys.argv[1:]))
