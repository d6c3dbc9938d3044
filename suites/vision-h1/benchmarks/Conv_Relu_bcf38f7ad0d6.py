"""Conv_Relu alone: `python Conv_Relu_bcf38f7ad0d6.py [--threads N] [--json]`.

Benchmark bcf38f7ad0d66629a0dc41ce9115a917ce610f9c1f9084ab27553b1fa3d80f87,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('bcf38f7ad0d66629a0dc41ce9115a917ce610f9c1f9084ab27553b1fa3d80f87', SUITE, sys.argv[1:]))
