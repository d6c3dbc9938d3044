"""Conv_Sigmoid_Mul alone: `python Conv_Sigmoid_Mul_422d3ceb2a24.py [--threads N] [--json]`.

Benchmark 422d3ceb2a2437401888b79a2e546fc146dbac3e5bfa073d18d8123e04278e05,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('422d3ceb2a2437401888b79a2e546fc146dbac3e5bfa073d18d8123e04278e05', SUITE, sys.argv[1:]))
