"""Softmax alone: `python Softmax_9859f05024b2.py [--threads N] [--json]`.

Benchmark 9859f05024b251457cd9dfa35b36c08fb79cc7dd3b7127ba9d3066b6e083dfc6,
made by dlbricks 0.1.0. Needs Python, numpy and onnxruntime.
"""

import sys
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SUITE))

from harness.bench import run_one  # noqa: E402  (the harness lies in the suite's folder)

if __name__ == "__main__":
    sys.exit(run_one('9859f05024b251457cd9dfa35b36c08fb79cc7dd3b7127ba9d3066b6e083dfc6', SUITE, sys.argv[1:]))
