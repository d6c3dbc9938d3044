"""Transpose alone: `python Transpose_504a38b60ab8.py [--threads N] [--json]`.

Benchmark 504a38b60ab887b4d293fc0414011c050d31770bdaaac60997d7bd0449caf504,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('504a38b60ab887b4d293fc0414011c050d31770bdaaac60997d7bd0449caf504', SUITE, sys.argv[1:]))
