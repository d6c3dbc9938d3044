"""Mul alone: `python Mul_8eec2e7d8e03.py [--threads N] [--json]`.

Benchmark 8eec2e7d8e0307a62aae1ce125be302275b8ef3cf6b115e7a606874091fa8e3b,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('8eec2e7d8e0307a62aae1ce125be302275b8ef3cf6b115e7a606874091fa8e3b', SUITE, sys.argv[1:]))
