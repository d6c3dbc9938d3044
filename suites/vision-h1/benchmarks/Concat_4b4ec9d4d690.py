"""Concat alone: `python Concat_4b4ec9d4d690.py [--threads N] [--json]`.

Benchmark 4b4ec9d4d690abb5bd700fe4566dc4ceafbff51f3945809e3b0c18c3b677bc92,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('4b4ec9d4d690abb5bd700fe4566dc4ceafbff51f3945809e3b0c18c3b677bc92', SUITE, sys.argv[1:]))
