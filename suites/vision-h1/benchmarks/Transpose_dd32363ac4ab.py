"""Transpose alone: `python Transpose_dd32363ac4ab.py [--threads N] [--json]`.

Benchmark dd32363ac4abac8c5c24cdeb69ee469ca687d2034ad92b728944453f2153bb21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('dd32363ac4abac8c5c24cdeb69ee469ca687d2034ad92b728944453f2153bb21', SUITE, sys.argv[1:]))
