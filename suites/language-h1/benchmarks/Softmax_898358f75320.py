"""Softmax alone: `python Softmax_898358f75320.py [--threads N] [--json]`.

Benchmark 898358f753200e89fcead52c3f3051ae8ae6482693e4a33d6d129af3a4578999,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('898358f753200e89fcead52c3f3051ae8ae6482693e4a33d6d129af3a4578999', SUITE, sys.argv[1:]))
