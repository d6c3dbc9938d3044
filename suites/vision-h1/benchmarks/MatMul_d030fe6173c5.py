"""MatMul alone: `python MatMul_d030fe6173c5.py [--threads N] [--json]`.

Benchmark d030fe6173c58807b509f3c5ed279950d4636831af9457221369f79a0505ac9f,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('d030fe6173c58807b509f3c5ed279950d4636831af9457221369f79a0505ac9f', SUITE, sys.argv[1:]))
