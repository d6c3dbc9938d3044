"""Relu alone: `python Relu_ea4c6de0d3c7.py [--threads N] [--json]`.

Benchmark ea4c6de0d3c72b9bd78f91c1dd93f838321e3d148390a2e1cd528e1b9578aec8,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ea4c6de0d3c72b9bd78f91c1dd93f838321e3d148390a2e1cd528e1b9578aec8', SUITE, sys.argv[1:]))
