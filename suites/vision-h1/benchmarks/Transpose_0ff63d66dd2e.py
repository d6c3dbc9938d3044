"""Transpose alone: `python Transpose_0ff63d66dd2e.py [--threads N] [--json]`.

Benchmark 0ff63d66dd2e2b80494d7f42f2ccd176f447f1f8f649e98b36ef44c1b0c07372,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('0ff63d66dd2e2b80494d7f42f2ccd176f447f1f8f649e98b36ef44c1b0c07372', SUITE, sys.argv[1:]))
