"""Conv alone: `python Conv_7f5ebd9a6b42.py [--threads N] [--json]`.

Benchmark 7f5ebd9a6b42b68aadd73d3ad791a2c3bf5037668415f88e54ec48a71f562622,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('7f5ebd9a6b42b68aadd73d3ad791a2c3bf5037668415f88e54ec48a71f562622', SUITE, sys.argv[1:]))
