"""Gemm alone: `python Gemm_4875e269a8e1.py [--threads N] [--json]`.

Benchmark 4875e269a8e1bdcd8964dc629834c78bf8b5e925dbcd3bae2ea37489d51efea5,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4875e269a8e1bdcd8964dc629834c78bf8b5e925dbcd3bae2ea37489d51efea5', SUITE, sys.argv[1:]))
