"""Conv_Relu alone: `python Conv_Relu_e0489277cea9.py [--threads N] [--json]`.

Benchmark e0489277cea92b93d332820af4ca2534bf01e9426959f1ec9144ffbb9f9d1653,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('e0489277cea92b93d332820af4ca2534bf01e9426959f1ec9144ffbb9f9d1653', SUITE, sys.argv[1:]))
