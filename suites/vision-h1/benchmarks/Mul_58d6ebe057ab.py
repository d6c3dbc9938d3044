"""Mul alone: `python Mul_58d6ebe057ab.py [--threads N] [--json]`.

Benchmark 58d6ebe057abc02cd5a9e8f8eda74021ecaf46d87aee6f74ebcaa771b524c65c,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('58d6ebe057abc02cd5a9e8f8eda74021ecaf46d87aee6f74ebcaa771b524c65c', SUITE, sys.argv[1:]))
