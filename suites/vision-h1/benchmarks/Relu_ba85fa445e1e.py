"""Relu alone: `python Relu_ba85fa445e1e.py [--threads N] [--json]`.

Benchmark ba85fa445e1efe321c88c3e367f966cddd3c128a4b2a994f1d66916021130f21,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('ba85fa445e1efe321c88c3e367f966cddd3c128a4b2a994f1d66916021130f21', SUITE, sys.argv[1:]))
