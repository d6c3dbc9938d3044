"""Mul alone: `python Mul_477a7a2bf71b.py [--threads N] [--json]`.

Benchmark 477a7a2bf71b448f18896e0bf11005a6c324bf7707ef59c699731e0ac3186a49,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('477a7a2bf71b448f18896e0bf11005a6c324bf7707ef59c699731e0ac3186a49', SUITE, sys.argv[1:]))
